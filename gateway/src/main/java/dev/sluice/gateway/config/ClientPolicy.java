package dev.sluice.gateway.config;

import dev.sluice.tls.ClientNames;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether and how clients prove who they are.
 *
 * @param mode whether they need a certificate
 * @param authorities PEM file of the authorities that it must lead to; null without client-auth
 * @param revocations PEM files of revocation lists; empty: nothing is revoked
 * @param depth how many intermediate authorities may stand in between; {@link #ANY_DEPTH}
 * @param names which of the clients that verify are let in
 * @param lists what the revocation lists say of themselves
 * @param warnings what is odd about the lists, a sentence each
 */
public record ClientPolicy(
        ClientAuth mode,
        @Nullable Path authorities,
        List<Path> revocations,
        int depth,
        ClientNames names,
        List<RevocationList> lists,
        List<String> warnings) {
    /** As many intermediate authorities as the TLS library takes. */
    public static final int ANY_DEPTH = -1;

    /** Clients are not asked. */
    public static final ClientPolicy NONE = of(ClientAuth.NONE, null);

    /** Copies the lists. */
    public ClientPolicy {
        revocations = List.copyOf(revocations);
        lists = List.copyOf(lists);
        warnings = List.copyOf(warnings);
    }

    /** Without revocation lists, whatever a client is called. */
    public static ClientPolicy of(ClientAuth mode, @Nullable Path authorities) {
        return new ClientPolicy(mode, authorities, List.of(), ANY_DEPTH, ClientNames.ANY, List.of(), List.of());
    }

    /** The same authorities for clients of another host. */
    ClientPolicy withMode(ClientAuth newMode) {
        return newMode == ClientAuth.NONE
                ? NONE
                : new ClientPolicy(newMode, authorities, revocations, depth, names, lists, warnings);
    }

    /** The same for clients of certain names. */
    ClientPolicy withNames(ClientNames newNames) {
        return new ClientPolicy(mode, authorities, revocations, depth, newNames, lists, warnings);
    }
}
