package dev.sluice.interop.example;

import dev.sluice.net.server.TlsServer;
import java.nio.file.Path;

/** A TLS server that sends back what it receives. */
public final class EchoServer {
    private EchoServer() {}

    public static TlsServer start(int port, Path chain, Path key) {
        // snippet: echo server
        TlsServer server = TlsServer.builder()
                .loopback(port)
                .certificate(chain, key)
                .handler((peer, bytes) -> peer.write(bytes))
                .start();
        // end
        return server;
    }
}
