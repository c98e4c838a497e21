/** Event loops over io_uring and epoll, TCP and TLS connections, and the TLS servers and clients on top of them. */
module dev.sluice.net {
    requires transitive dev.sluice.tls;
    requires static transitive org.jspecify;

    exports dev.sluice.net;
    exports dev.sluice.net.channel;
    exports dev.sluice.net.client;
    exports dev.sluice.net.loop;
    exports dev.sluice.net.peer;
    exports dev.sluice.net.server;
}
