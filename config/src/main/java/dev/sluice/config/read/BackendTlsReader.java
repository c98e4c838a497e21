package dev.sluice.config.read;

import dev.sluice.config.key.BackendKeys;
import dev.sluice.config.model.BackendTlsConfig;
import dev.sluice.config.model.CertificateConfig;
import dev.sluice.config.yaml.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The reader of a backend's {@code tls}: {@code on}, {@code off}, or a section. */
final class BackendTlsReader {
    private static final String SYSTEM = "system";

    private final Path directory;
    private final TlsCheck check;
    private final Map<String, Optional<List<CertificateConfig>>> certificates;

    BackendTlsReader(Path directory, TlsCheck check, Map<String, Optional<List<CertificateConfig>>> certificates) {
        this.directory = directory;
        this.check = check;
        this.certificates = certificates;
    }

    /** Reads the TLS settings; null when TLS is off, or when there are problems, which are reported. */
    @Nullable
    BackendTlsConfig read(@Nullable Value value) {
        if (value == null) {
            return null;
        }
        if (!value.isSection()) {
            return value.onOff(false) ? BackendTlsConfig.DEFAULT : null;
        }
        Section section = Section.of(value, BackendKeys.TLS);
        return section == null ? null : read(section);
    }

    private BackendTlsConfig read(Section section) {
        Path authorities = authorities(section);
        Value name = section.find(BackendKeys.TLS_SERVER_NAME);
        boolean verify = section.get(BackendKeys.TLS_VERIFY);
        if (!verify && authorities != null) {
            section.problem("ca has no effect with verify: off; leave one of them out");
        }
        return new BackendTlsConfig(
                authorities,
                authorities == null ? "" : digest(authorities),
                name == null ? "" : serverName(name),
                verify,
                certificate(section.find(BackendKeys.TLS_CERTIFICATE)),
                section.get(BackendKeys.TLS_MIN_VERSION),
                section.texts(BackendKeys.TLS_ALPN));
    }

    private @Nullable Path authorities(Section section) {
        Value value = section.find(BackendKeys.TLS_AUTHORITIES);
        String text = value == null ? null : value.text();
        if (value == null || text == null || text.equals(SYSTEM)) {
            return null;
        }
        Path file = value.file(directory);
        String problem = file == null ? null : check.clientCaProblem(file);
        if (problem != null) {
            value.problem(problem);
        }
        return file;
    }

    private static String serverName(Value value) {
        String text = value.text();
        if (text == null || text.isBlank() || text.indexOf('*') >= 0) {
            value.problem("server-name is \"" + text + "\"; write the host name in the certificate");
            return "";
        }
        return text;
    }

    private @Nullable CertificateConfig certificate(@Nullable Value value) {
        List<CertificateConfig> named =
                value == null ? null : ListenerReader.reference(value, "certificate", certificates);
        if (value == null || named == null) {
            return null;
        }
        if (named.size() > 1) {
            value.problem("certificate is a directory of " + named.size() + " certificates; name the one to present");
        }
        if (named.isEmpty()) {
            value.problem("certificate is a directory without a usable one; name the files of the one to present");
            return null;
        }
        return named.getFirst();
    }

    private static String digest(Path file) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
            return HexFormat.of().formatHex(hash);
        } catch (IOException gone) {
            return ""; // the check above has read it: the next reload reports this
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
