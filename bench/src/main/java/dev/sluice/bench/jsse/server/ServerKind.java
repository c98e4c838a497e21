package dev.sluice.bench.jsse.server;

import dev.sluice.bench.record.path.Credentials;
import dev.sluice.bench.record.path.MeasuredProvider;

/** The servers under test. */
public enum ServerKind {
    /** HTTPS on Netty, with the JDK's engine. */
    NETTY_SUN,
    /** HTTPS on Netty, with Sluice's engine of JSSE. */
    NETTY_SLUICE,
    /** HTTPS on Netty, with Netty's engine over BoringSSL. */
    NETTY_OPENSSL,
    /** An echo server on SSLSockets of the JDK, with a virtual thread for each. */
    SOCKETS_SUN,
    /** The same on SSLSockets of Sluice. */
    SOCKETS_SLUICE,
    /** The same on Sluice's blocking channels. */
    CHANNELS;

    RunningServer start(Credentials credentials) throws Exception {
        return switch (this) {
            case NETTY_SUN -> NettyHttps.onJsse(MeasuredProvider.SUN, credentials);
            case NETTY_SLUICE -> NettyHttps.onJsse(MeasuredProvider.SLUICE, credentials);
            case NETTY_OPENSSL -> NettyHttps.onOpenSsl(credentials);
            case SOCKETS_SUN -> SocketEcho.start(MeasuredProvider.SUN, credentials);
            case SOCKETS_SLUICE -> SocketEcho.start(MeasuredProvider.SLUICE, credentials);
            case CHANNELS -> ChannelEcho.start(credentials);
        };
    }
}
