package dev.sluice.config.read;

import dev.sluice.config.certificate.CertificateOcsp;
import dev.sluice.config.key.CertificateKeys;
import dev.sluice.config.key.OcspKeys;
import dev.sluice.config.model.OcspConfig;
import dev.sluice.config.yaml.Value;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The reader of {@code ocsp}, at the top or of a certificate: on, off, or a section. */
final class OcspReader {
    private final Path configDirectory;

    /** Creates a reader that resolves relative paths against a directory. */
    OcspReader(Path configDirectory) {
        this.configDirectory = configDirectory;
    }

    /** Reads the section at the top; null: nothing is stapled. */
    @Nullable
    OcspConfig read(@Nullable Value value) {
        OcspConfig fallback = OcspConfig.DEFAULT;
        if (value == null) {
            return fallback;
        }
        if (!value.isSection()) {
            return value.onOff(true) ? fallback : null;
        }
        Section section = Section.of(value, OcspKeys.SECTION);
        if (section == null) {
            return fallback;
        }
        Duration keep = section.get(OcspKeys.KEEP);
        return new OcspConfig(keep, directory(section.find(OcspKeys.DIRECTORY)));
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
            value.problem("directory \"" + text + "\" is not a path: " + invalid.getReason());
            return null;
        }
    }

    /**
     * Reads the section of a certificate.
     *
     * @param file the reader of a value that names a file
     */
    CertificateOcsp readOfCertificate(@Nullable Value value, Function<Value, @Nullable Path> file) {
        if (value == null) {
            return CertificateOcsp.DEFAULT;
        }
        if (!value.isSection()) {
            return value.onOff(true) ? CertificateOcsp.DEFAULT : CertificateOcsp.OFF;
        }
        Section section = Section.of(value, CertificateKeys.CERTIFICATE_OCSP);
        if (section == null) {
            return CertificateOcsp.DEFAULT;
        }
        Value issuer = section.find(CertificateKeys.ISSUER);
        return new CertificateOcsp(
                true, responder(section.find(CertificateKeys.RESPONDER)), issuer == null ? null : file.apply(issuer));
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
                + "\"; write a URL such as http://ocsp.example.com/ (without TLS, since responses are signed)");
        return null;
    }
}
