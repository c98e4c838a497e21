package dev.sluice.gateway.config;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks the TLS library whether it takes what the configuration names, so that a problem is reported at its line and not
 * when the first client comes. Answers that are texts are null when all is well, else value, cause and remedy.
 */
public interface TlsCheck {
    /** What files of a certificate hold: whether it can be loaded, and with its key. */
    CertificateFindings certificate(CertificateFiles files);

    /** What files of a certificate held when they were loaded to be served; null: they were not. */
    default @Nullable CertificateFindings previous(CertificateFiles files) {
        return null;
    }

    /** Has what files held then served again, in place of what they hold now. */
    default void keepPrevious(CertificateFiles files) {}

    /** Files that were served, and lay in a directory or below it. */
    default List<CertificateFiles> previousBelow(Path directory) {
        return List.of();
    }

    /**
     * True when files have changed and nobody has asked for the configuration to be read: those that cannot be used
     * leave the previous ones in use, even if the configuration names them.
     */
    default boolean isRenewal() {
        return false;
    }

    /** Whether all cipher suites are known. */
    @Nullable
    String ciphersProblem(List<String> ciphers);

    /** Whether all groups are known. */
    @Nullable
    String groupsProblem(List<String> groups);

    /** Whether a file's authorities can be loaded. */
    @Nullable
    String clientCaProblem(Path authorities);

    /** What files of revocation lists hold, for an authorities' file that can be loaded. */
    default RevocationFindings revocations(Path authorities, List<Path> files) {
        return RevocationFindings.NONE;
    }

    /** Whether a store of ticket keys can be used, as far as this machine's files tell. */
    default @Nullable String ticketStoreProblem(TicketStoreConfig store) {
        return null;
    }
}
