/** Event loops over io_uring and epoll, listeners, TCP and TLS connections, timers. */
module dev.sluice.net {
    requires transitive dev.sluice.tls;
    requires static transitive org.jspecify;

    exports dev.sluice.net;
    exports dev.sluice.net.loop;
}
