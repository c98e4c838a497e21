package dev.sluice.gateway.config;

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

/** Reads a backend's key {@code tls}: {@code on}, {@code off}, or a section. */
final class BackendTlsReader {
    private static final List<String> KEYS =
            List.of("ca", "server-name", "verify", "certificate", "min-version", "alpn");
    private static final String SYSTEM = "system";

    private final Path directory;
    private final TlsCheck check;
    private final Map<String, Optional<List<CertificateConfig>>> certificates;

    BackendTlsReader(Path directory, TlsCheck check, Map<String, Optional<List<CertificateConfig>>> certificates) {
        this.directory = directory;
        this.check = check;
        this.certificates = certificates;
    }

    /** Null when there is to be none, or what there is has problems, which are reported. */
    @Nullable
    BackendTlsConfig read(@Nullable Value value) {
        if (value == null) {
            return null;
        }
        if (!value.isSection()) {
            return value.onOff(false) ? BackendTlsConfig.DEFAULT : null;
        }
        Section section = value.section(KEYS);
        return section == null ? null : read(section);
    }

    private BackendTlsConfig read(Section section) {
        Path authorities = authorities(section);
        Value name = section.find("server-name");
        boolean verify = section.onOff("verify", true);
        if (!verify && authorities != null) {
            section.problem("ca has no effect with verify: off; leave one of them out");
        }
        return new BackendTlsConfig(
                authorities,
                authorities == null ? "" : digest(authorities),
                name == null ? "" : serverName(name),
                verify,
                certificate(section.find("certificate")),
                section.choice("min-version", List.of(TlsVersion.values()), TlsVersion::text, TlsVersion.TLS_1_2),
                section.texts("alpn"));
    }

    private @Nullable Path authorities(Section section) {
        Value value = section.find("ca");
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
            value.problem("server-name is \"" + text + "\"; write the host name that stands in the certificate");
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
            value.problem("certificate is a directory with " + named.size() + " of them; name the one to present");
        }
        if (named.isEmpty()) {
            value.problem(
                    "certificate is a directory with none that can be used; name the files of the one to" + " present");
            return null;
        }
        return named.getFirst();
    }

    private static String digest(Path file) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
            return HexFormat.of().formatHex(hash);
        } catch (IOException gone) {
            return ""; // reported with the next look: the check above has read it
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
