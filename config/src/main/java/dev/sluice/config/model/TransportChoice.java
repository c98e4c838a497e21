package dev.sluice.config.model;

/** The transports that event loops can run on. */
public enum TransportChoice {
    /** io_uring where the kernel permits it, else epoll. */
    AUTO("auto"),
    /** io_uring, or no start. */
    IO_URING("io_uring"),
    /** epoll only. */
    EPOLL("epoll");

    private final String text;

    TransportChoice(String text) {
        this.text = text;
    }

    /** Returns the spelling of the configuration: the kernel's own, with an underscore. */
    public String text() {
        return text;
    }
}
