package dev.sluice.bench.echo;

import dev.sluice.bench.echo.server.EchoKind;
import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Role;
import java.util.List;

/**
 * A server of the comparison.
 *
 * @param identity its identity
 * @param kind its kind
 */
record EchoServer(Identity identity, EchoKind kind) {
    /** The reference of the comparison. */
    static final EchoServer SELECTOR = of("java.nio", Role.PEER, EchoKind.SELECTOR);

    /** All servers, with the control last. */
    static final List<EchoServer> ALL = List.of(
            SELECTOR,
            of("Netty, NIO", Role.PEER, EchoKind.NETTY_NIO),
            of("Netty, io_uring", Role.PEER, EchoKind.NETTY_IO_URING),
            of("Sluice, epoll", Role.SUBJECT, EchoKind.SLUICE_EPOLL),
            of("Sluice, io_uring", Role.SUBJECT, EchoKind.SLUICE_IO_URING),
            new EchoServer(Identity.controlOf(SELECTOR.identity().name()), EchoKind.SELECTOR));

    private static EchoServer of(String name, Role role, EchoKind kind) {
        return new EchoServer(Identity.of(name, role), kind);
    }
}
