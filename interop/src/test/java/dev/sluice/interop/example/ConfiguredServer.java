package dev.sluice.interop.example;

import dev.sluice.net.server.TlsServer;
import dev.sluice.tls.certificate.IdentitySource;
import dev.sluice.tls.context.ClientAuthentication;
import dev.sluice.tls.context.ProtocolVersion;
import java.nio.file.Path;
import java.time.Duration;

/** A TLS server with settings of every kind. */
public final class ConfiguredServer {
    private ConfiguredServer() {}

    public static TlsServer start(int port, Path chain, Path key, Path apiChain, Path apiKey, Path authorities) {
        // snippet: configured server
        TlsServer server = TlsServer.builder()
                .loopback(port)
                .loops(2)
                .certificate(chain, key)
                .host("api.example.com", IdentitySource.pem(apiChain, apiKey))
                .alpn("lines")
                .tls(tls -> tls.versions(ProtocolVersion.TLS_1_3, ProtocolVersion.TLS_1_3)
                        .clientAuthentication(ClientAuthentication.OPTIONAL, authorities))
                .handshakeDeadline(Duration.ofSeconds(5))
                .idleDeadline(Duration.ofMinutes(1))
                .failures((address, failure) -> System.err.println(failure.message()))
                .handlers(LineCounter::new)
                .start();
        server.reload(); // after a renewal of certificates
        // end
        return server;
    }
}
