package dev.sluice.config.certificate;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Files of a certificate that cannot be served.
 *
 * @param name the name of their entry in {@code certificates}
 * @param files the files of the certificate and its key; for an unreadable directory, the directory
 * @param consequence the consequence for the certificate
 * @param problem value, cause and remedy
 */
public record UnusableCertificate(String name, List<Path> files, Consequence consequence, String problem) {
    /** The consequences of unusable files. */
    public enum Consequence {
        /** The certificate is not served. */
        SKIPPED,
        /** The certificate that was loaded before stays in use. */
        KEPT;

        /** Returns the value of a metric's label: the name in lower case. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Copies the list. */
    public UnusableCertificate {
        files = List.copyOf(files);
    }

    /** Returns one line for the log and for {@code sluice check}. */
    public String line() {
        return switch (consequence) {
            case SKIPPED -> "certificate " + name + ": skipped, all others are served (" + problem + ")";
            case KEPT -> "certificate " + name + ": not renewed, the previous one stays in use (" + problem + ")";
        };
    }
}
