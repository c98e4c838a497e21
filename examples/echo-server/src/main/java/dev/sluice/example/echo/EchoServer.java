package dev.sluice.example.echo;

import dev.sluice.net.server.TlsServer;
import java.nio.file.Path;

/** A server that sends back what it receives, on event loops: its arguments are CHAIN.pem and KEY.pem. */
public final class EchoServer {
    private EchoServer() {}

    /** Serves until the process ends. */
    public static void main(String[] arguments) throws InterruptedException {
        TlsServer server = TlsServer.builder()
                .loopback(0)
                .certificate(Path.of(arguments[0]), Path.of(arguments[1]))
                .handler((peer, bytes) -> peer.write(bytes))
                .start();
        System.out.println("https://localhost:" + server.address().getPort() + "/");
        Thread.currentThread().join(); // the loops do not keep the process alive
    }
}
