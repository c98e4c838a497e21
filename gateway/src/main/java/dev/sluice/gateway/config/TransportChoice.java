package dev.sluice.gateway.config;

/** What the event loops run on. */
public enum TransportChoice {
    /** io_uring where the kernel grants it, else epoll. */
    AUTO,
    /** io_uring, or no start. */
    IO_URING,
    /** epoll. */
    EPOLL
}
