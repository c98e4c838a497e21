package dev.sluice.bench.record.path;

import dev.sluice.tls.context.ProtocolVersion;
import dev.sluice.tls.context.TlsContext;
import java.util.List;

/**
 * The contexts of both ends of Sluice's connections: TLS 1.3 with one suite.
 *
 * @param server with the certificate
 * @param client trusts the certificate, which is for {@value #HOST}
 */
record TlsContexts(TlsContext server, TlsContext client) implements AutoCloseable {
    /** The name that the certificate is for. */
    static final String HOST = "localhost";

    TlsContexts(String suite, Credentials credentials) {
        this(
                TlsContext.server()
                        .certificate(credentials.chain(), credentials.key())
                        .versions(ProtocolVersion.TLS_1_3, ProtocolVersion.TLS_1_3)
                        .cipherSuites(List.of(suite))
                        .build(),
                TlsContext.client()
                        .versions(ProtocolVersion.TLS_1_3, ProtocolVersion.TLS_1_3)
                        .cipherSuites(List.of(suite))
                        .trust(credentials.chain())
                        .build());
    }

    @Override
    public void close() {
        server.close();
        client.close();
    }
}
