package dev.sluice.config.read;

import dev.sluice.config.certificate.CertificateFiles;
import dev.sluice.config.certificate.CertificateFindings;
import dev.sluice.config.certificate.RevocationFindings;
import dev.sluice.config.model.TicketStoreConfig;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The checks of a configuration by the TLS library, so that a problem is reported at its line and not with the first
 * client. A check that returns a text returns null when there is no problem, else value, cause and remedy.
 */
public interface TlsCheck {
    /** Loads the files of a certificate, and checks its key. */
    CertificateFindings certificate(CertificateFiles files);

    /**
     * Makes a self-signed certificate that is served in place of files that are still to come.
     *
     * @param names its names
     */
    default CertificateFindings placeholder(CertificateFiles files, List<String> names) {
        return CertificateFindings.problem("no certificate has been issued yet for " + names);
    }

    /** Returns the findings of the last load of a certificate's files to be served; null: there was none. */
    default @Nullable CertificateFindings previous(CertificateFiles files) {
        return null;
    }

    /** Keeps the last loaded contents of files in use, in place of their contents now. */
    default void keepPrevious(CertificateFiles files) {}

    /** Returns the files in a directory or below it that were loaded to be served. */
    default List<CertificateFiles> previousBelow(Path directory) {
        return List.of();
    }

    /**
     * Returns true when files were renewed without a reload of the configuration: unusable ones leave the previous ones
     * in use, even if the configuration names them.
     */
    default boolean isRenewal() {
        return false;
    }

    /** Checks that all cipher suites are known. */
    @Nullable
    String ciphersProblem(List<String> ciphers);

    /** Checks that all groups are known. */
    @Nullable
    String groupsProblem(List<String> groups);

    /** Checks that Encrypted ClientHello is supported. */
    default @Nullable String encryptedHelloProblem() {
        return null;
    }

    /** Checks that the kernel has TLS. */
    default @Nullable String kernelRecordsProblem() {
        return null;
    }

    /** Checks that a file's authorities can be loaded. */
    @Nullable
    String clientCaProblem(Path authorities);

    /** Loads files of revocation lists, for an authorities' file that can be loaded. */
    default RevocationFindings revocations(Path authorities, List<Path> files) {
        return RevocationFindings.NONE;
    }

    /** Checks the files of a ticket-key store. */
    default @Nullable String ticketStoreProblem(TicketStoreConfig store) {
        return null;
    }
}
