package dev.sluice.bench.echo.server;

/** The echo servers. Each runs on one thread. */
public enum EchoKind {
    /** A selector of java.nio. */
    SELECTOR,
    /** Netty on its selector transport. */
    NETTY_NIO,
    /** Netty on io_uring. */
    NETTY_IO_URING,
    /** Sluice's event loop on epoll. */
    SLUICE_EPOLL,
    /** Sluice's event loop on io_uring. */
    SLUICE_IO_URING
}
