package dev.sluice.gateway.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the TLS library makes of revocation lists.
 *
 * @param lists what they say of themselves
 * @param warnings what is odd about them, a sentence each
 * @param problem why they cannot be used: value, cause and remedy; null where they can
 */
public record RevocationFindings(
        List<RevocationList> lists,
        List<String> warnings,
        @Nullable String problem) {
    /** There are none. */
    public static final RevocationFindings NONE = new RevocationFindings(List.of(), List.of(), null);

    /** Copies the lists. */
    public RevocationFindings {
        lists = List.copyOf(lists);
        warnings = List.copyOf(warnings);
    }
}
