package dev.sluice.config.certificate;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The TLS library's findings on revocation lists.
 *
 * @param lists the issuers and expiries of the lists
 * @param warnings oddities of the lists, a sentence each
 * @param problem the reason why they cannot be used: value, cause and remedy; null: they can
 */
public record RevocationFindings(
        List<RevocationList> lists,
        List<String> warnings,
        @Nullable String problem) {
    /** No lists. */
    public static final RevocationFindings NONE = new RevocationFindings(List.of(), List.of(), null);

    /** Copies the lists. */
    public RevocationFindings {
        lists = List.copyOf(lists);
        warnings = List.copyOf(warnings);
    }
}
