package dev.sluice.bench.jsse;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Role;
import dev.sluice.bench.jsse.server.ServerKind;
import java.util.List;

/**
 * A server in a comparison.
 *
 * @param identity its name
 * @param kind what its process runs
 */
record Contender(Identity identity, ServerKind kind) {
    private static final Contender NETTY_SUN = of("Netty, SunJSSE", Role.PEER, ServerKind.NETTY_SUN);
    private static final Contender SOCKETS_SUN = of("SSLSocket, SunJSSE", Role.PEER, ServerKind.SOCKETS_SUN);

    /** The servers of HTTPS. */
    static final List<Contender> HTTPS = List.of(
            NETTY_SUN,
            of("Netty, Sluice JSSE", Role.SUBJECT, ServerKind.NETTY_SLUICE),
            of("Netty tcnative (BoringSSL)", Role.PEER, ServerKind.NETTY_OPENSSL),
            again(NETTY_SUN));

    /** The servers of many connections. */
    static final List<Contender> CONNECTIONS = List.of(
            SOCKETS_SUN,
            of("SSLSocket, Sluice JSSE", Role.SUBJECT, ServerKind.SOCKETS_SLUICE),
            of("Sluice TlsChannel", Role.SUBJECT, ServerKind.CHANNELS),
            again(SOCKETS_SUN));

    private static Contender of(String name, Role role, ServerKind kind) {
        return new Contender(Identity.of(name, role), kind);
    }

    /** Returns the noise floor: another process of the same kind. */
    private static Contender again(Contender original) {
        return new Contender(Identity.controlOf(original.identity().name()), original.kind());
    }
}
