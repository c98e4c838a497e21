package dev.sluice.gateway.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Files of a certificate that cannot be served as they are now.
 *
 * @param name of the entry in the section {@code certificates} that they belong to
 * @param files where the certificate and its key are; of a directory that cannot be read, the directory
 * @param consequence what is served instead
 * @param problem value, cause and remedy
 */
public record UnusableCertificate(String name, List<Path> files, Consequence consequence, String problem) {
    /** What becomes of a certificate whose files cannot be used. */
    public enum Consequence {
        /** It is left out. */
        SKIPPED,
        /** The one that was loaded before is served on. */
        KEPT;

        /** The value of a metric's label: the name in lower case. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Copies the list. */
    public UnusableCertificate {
        files = List.copyOf(files);
    }

    /** One line for the log and for {@code sluice check}. */
    public String line() {
        return switch (consequence) {
            case SKIPPED -> "certificate " + name + ": skipped, all others are served (" + problem + ")";
            case KEPT -> "certificate " + name + ": not renewed, the previous one stays in use (" + problem + ")";
        };
    }
}
