package dev.sluice.cost.measure;

import dev.sluice.tls.context.ClientContextBuilder;
import dev.sluice.tls.context.ProtocolVersion;
import dev.sluice.tls.context.ServerContextBuilder;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.ticket.TicketKeyRing;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/** A server's and a client's context for one kind of handshake. Owns both. */
final class HandshakeContexts implements AutoCloseable {
    private static final Duration HOURS = Duration.ofHours(12);

    private final TicketKeyRing keys = new TicketKeyRing(HOURS, HOURS, InstantSource.system());
    private final TlsContext server;
    private final TlsContext client;

    /**
     * Creates an instance.
     *
     * @param sessionCache sessions that the server caches instead of sending tickets; 0 for none
     */
    HandshakeContexts(MeasuredHandshake kind, Certificates.Server certificate, int sessionCache) {
        // The first is used; the others are for certificates on their curves, which TLS 1.2 requires in the list.
        List<String> groups = List.of(kind.postQuantum() ? AsymmetricProbes.POST_QUANTUM : "X25519", "P-256", "P-384");
        ServerContextBuilder serving = TlsContext.server()
                .certificate(certificate.chain(), certificate.key())
                .groups(groups)
                .sessionTickets(kind.tickets())
                .sessionCache(sessionCache);
        if (kind.tickets() > 0) {
            serving.ticketKeys(keys);
        }
        this.server = serving.build();
        ProtocolVersion version = kind.version();
        ClientContextBuilder asking =
                TlsContext.client().versions(version, version).groups(groups).trust(certificate.root());
        this.client = asking.build();
    }

    TlsContext server() {
        return server;
    }

    TlsContext client() {
        return client;
    }

    @Override
    public void close() {
        client.close();
        server.close();
        keys.close();
    }
}
