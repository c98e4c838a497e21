package dev.sluice.bench.jsse.server;

import dev.sluice.bench.load.TlsProfile;
import dev.sluice.bench.record.path.Credentials;
import dev.sluice.ffi.openssl.raw.OpenSsl;
import dev.sluice.net.channel.TlsChannel;
import dev.sluice.net.server.TlsServer;
import dev.sluice.tls.context.ProtocolVersion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;

/** An echo server over TLS 1.3 on Sluice's blocking channels, with a virtual thread for each connection. */
final class ChannelEcho implements RunningServer {
    private static final int BUFFER_BYTES = 1024;

    private final TlsServer server;

    private ChannelEcho(TlsServer server) {
        this.server = server;
    }

    /** Starts it with one event loop. */
    static ChannelEcho start(Credentials credentials) {
        return new ChannelEcho(TlsServer.builder()
                .loopback(0)
                .loops(1)
                .idleDeadline(Duration.ZERO)
                .drainDeadline(Duration.ZERO)
                .certificate(credentials.chain(), credentials.key())
                .tls(context -> context.versions(ProtocolVersion.TLS_1_3, ProtocolVersion.TLS_1_3)
                        .cipherSuites(List.of(TlsProfile.SUITE))
                        .groups(List.of(TlsProfile.GROUP)))
                .channels(ChannelEcho::echo)
                .start());
    }

    private static void echo(TlsChannel channel) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
        while (channel.read(buffer.clear()) > 0) {
            channel.write(buffer.flip());
        }
    }

    @Override
    public int port() {
        return server.address().getPort();
    }

    @Override
    public String library() {
        return OpenSsl.require().version();
    }

    @Override
    public void close() {
        server.close();
    }
}
