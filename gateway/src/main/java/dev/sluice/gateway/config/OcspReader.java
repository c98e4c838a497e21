package dev.sluice.gateway.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads {@code ocsp}, at the top or of a certificate: on, off, or a section. */
final class OcspReader {
    private static final List<String> KEYS = List.of("keep", "directory");
    private static final List<String> CERTIFICATE_KEYS = List.of("responder", "issuer");
    private static final Duration KEEP_MIN = Duration.ofMinutes(1);
    private static final Duration KEEP_MAX = Duration.ofDays(30);

    private final Path configDirectory;

    /** @param configDirectory where relative paths start */
    OcspReader(Path configDirectory) {
        this.configDirectory = configDirectory;
    }

    /** What stands at the top; null: nothing is stapled. */
    @Nullable
    OcspConfig read(@Nullable Value value) {
        OcspConfig fallback = OcspConfig.DEFAULT;
        if (value == null) {
            return fallback;
        }
        if (!value.isSection()) {
            return value.onOff(true) ? fallback : null;
        }
        Section section = value.section(KEYS);
        if (section == null) {
            return fallback;
        }
        Duration keep = section.duration("keep", KEEP_MIN, KEEP_MAX, fallback.keep());
        return new OcspConfig(keep, directory(section.find("directory")));
    }

    private @Nullable Path directory(@Nullable Value value) {
        String text = value == null ? null : value.text();
        if (value == null || text == null) {
            return null;
        }
        try {
            Path directory = configDirectory.resolve(text);
            value.means(directory.toString());
            return directory;
        } catch (InvalidPathException invalid) {
            value.problem("directory \"" + text + "\" is no path: " + invalid.getReason());
            return null;
        }
    }

    /**
     * What stands at a certificate.
     *
     * @param file makes a path of a value that names a file
     */
    CertificateOcsp readOfCertificate(@Nullable Value value, Function<Value, @Nullable Path> file) {
        if (value == null) {
            return CertificateOcsp.DEFAULT;
        }
        if (!value.isSection()) {
            return value.onOff(true) ? CertificateOcsp.DEFAULT : CertificateOcsp.OFF;
        }
        Section section = value.section(CERTIFICATE_KEYS);
        if (section == null) {
            return CertificateOcsp.DEFAULT;
        }
        Value issuer = section.find("issuer");
        return new CertificateOcsp(
                true, responder(section.find("responder")), issuer == null ? null : file.apply(issuer));
    }

    private static @Nullable URI responder(@Nullable Value value) {
        String text = value == null ? null : value.text();
        if (value == null || text == null) {
            return null;
        }
        try {
            URI uri = new URI(text);
            if ("http".equals(uri.getScheme()) && uri.getHost() != null) {
                return uri;
            }
        } catch (URISyntaxException none) {
            // reported below, like one with another scheme
        }
        value.problem("responder is \"" + text
                + "\"; write a URL such as http://ocsp.example.com/ (without TLS, for responses are signed)");
        return null;
    }
}
