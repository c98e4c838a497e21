package dev.sluice.config.model;

import dev.sluice.config.certificate.RevocationList;
import dev.sluice.tls.certificate.ClientNames;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A client-authentication policy.
 *
 * @param mode the mode of client authentication
 * @param authorities PEM file of the authorities that certificates must chain to; null without client authentication
 * @param revocations PEM files of revocation lists; empty: none
 * @param depth the maximum number of intermediate authorities; {@link #ANY_DEPTH}: no limit of ours
 * @param names the clients to accept, of those that verify
 * @param lists the issuers and expiries of the revocation lists
 * @param warnings oddities of the lists, a sentence each
 */
public record ClientPolicy(
        ClientAuth mode,
        @Nullable Path authorities,
        List<Path> revocations,
        int depth,
        ClientNames names,
        List<RevocationList> lists,
        List<String> warnings) {
    /** The depth that leaves the limit to the TLS library. */
    public static final int ANY_DEPTH = -1;

    /** No client authentication. */
    public static final ClientPolicy NONE = of(ClientAuth.NONE, null);

    /** Copies the lists. */
    public ClientPolicy {
        revocations = List.copyOf(revocations);
        lists = List.copyOf(lists);
        warnings = List.copyOf(warnings);
    }

    /** Returns a policy without revocation lists and restrictions on names. */
    public static ClientPolicy of(ClientAuth mode, @Nullable Path authorities) {
        return new ClientPolicy(mode, authorities, List.of(), ANY_DEPTH, ClientNames.ANY, List.of(), List.of());
    }

    /** Returns the policy with another mode; without authorities when that is none. */
    public ClientPolicy withMode(ClientAuth newMode) {
        return newMode == ClientAuth.NONE
                ? NONE
                : new ClientPolicy(newMode, authorities, revocations, depth, names, lists, warnings);
    }

    /** Returns the policy restricted to clients with certain names. */
    public ClientPolicy withNames(ClientNames newNames) {
        return new ClientPolicy(mode, authorities, revocations, depth, newNames, lists, warnings);
    }
}
