package dev.sluice.gateway;

import dev.sluice.gateway.config.CertificateConfig;
import dev.sluice.gateway.config.ClientAuth;
import dev.sluice.gateway.config.KeyPairFiles;
import dev.sluice.gateway.config.ListenerConfig;
import dev.sluice.gateway.config.ServerNamePattern;
import dev.sluice.gateway.config.SessionSharing;
import dev.sluice.gateway.config.TicketConfig;
import dev.sluice.gateway.config.TicketStoreConfig;
import dev.sluice.gateway.config.TlsOptions;
import dev.sluice.gateway.config.TlsVersion;
import dev.sluice.gateway.ocsp.StapleRound;
import dev.sluice.tls.ClientAuthentication;
import dev.sluice.tls.EarlyDataPolicy;
import dev.sluice.tls.ProtocolVersion;
import dev.sluice.tls.ServerContextBuilder;
import dev.sluice.tls.ServerNameSelector;
import dev.sluice.tls.SharedContext;
import dev.sluice.tls.StapleSource;
import dev.sluice.tls.TicketKeyRing;
import dev.sluice.tls.TlsContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes the TLS contexts of listeners. */
final class ServerContexts {
    private ServerContexts() {}

    /**
     * How sessions are resumed.
     *
     * @param clockTolerance for how much the clocks of those that share the keys may differ
     * @param sharing with what other kind of server, where clients are not authenticated
     * @param count how many tickets a client gets after a full handshake
     */
    record Tickets(TicketKeyRing keys, Duration clockTolerance, SessionSharing sharing, int count) {
        /** Clocks of a fleet's nodes that differ by two days are wrong, and no reason to lose sessions. */
        private static final Duration FLEET_TOLERANCE = Duration.ofDays(2);

        static Tickets of(TicketKeyRing keys, TicketConfig config) {
            boolean isFleet = config.store() instanceof TicketStoreConfig.Redis;
            return new Tickets(keys, isFleet ? FLEET_TOLERANCE : Duration.ZERO, config.sharing(), config.count());
        }
    }

    /**
     * Makes a listener's context for one loop.
     *
     * @param tickets common to all loops; null: none
     * @param earlyData common to all loops; null: none is taken
     * @param staples where certificates get their OCSP responses from; null: nowhere
     * @return the caller closes it
     * @throws dev.sluice.tls.TlsConfigurationException naming value, cause and remedy
     */
    static SharedContext of(
            ListenerConfig listener,
            @Nullable Tickets tickets,
            @Nullable EarlyDataPolicy earlyData,
            @Nullable StapleRound staples) {
        List<TlsContext> contexts = new ArrayList<>();
        try {
            for (CertificateConfig certificate : listener.certificates()) {
                contexts.add(context(listener, certificate, tickets, earlyData, staples));
            }
            return contexts.size() == 1 ? contexts.removeFirst() : selector(listener.certificates(), contexts);
        } finally {
            // A selector holds its contexts itself; on a failure nobody does.
            contexts.forEach(TlsContext::close);
        }
    }

    private static SharedContext selector(List<CertificateConfig> certificates, List<TlsContext> contexts) {
        ServerNameSelector.Builder selector = ServerNameSelector.builder().fallback(contexts.getFirst());
        Set<ServerNamePattern> taken = new HashSet<>();
        for (int i = 0; i < contexts.size(); i++) {
            for (ServerNamePattern name : certificates.get(i).serverNames()) {
                // Two certificates for one name: the one that stands first in the listener's list has it.
                if (taken.add(name)) {
                    selector.add(name.text(), contexts.get(i));
                }
            }
        }
        return selector.build();
    }

    private static TlsContext context(
            ListenerConfig listener,
            CertificateConfig certificate,
            @Nullable Tickets tickets,
            @Nullable EarlyDataPolicy earlyData,
            @Nullable StapleRound staples) {
        ServerContextBuilder builder = TlsContext.server()
                .virtualHost(certificate.name())
                // One certificate that has expired must not keep the others from being served after a restart.
                .dangerouslyAllowExpiredCertificate();
        if (listener.intake().alpnRequired()) {
            builder.alpnRequired(listener.alpn());
        } else {
            builder.alpn(listener.alpn());
        }
        for (KeyPairFiles pair : certificate.keyPairs()) {
            builder.certificate(pair.chain(), pair.key());
        }
        apply(listener.tls(), builder);
        if (tickets == null) {
            builder.sessionTickets(0);
        } else {
            apply(tickets, listener, certificate, builder);
        }
        if (earlyData != null) {
            builder.earlyData(earlyData);
        }
        StapleSource source = staples == null ? null : staples.source(certificate);
        if (source != null) {
            builder.staples(source);
        }
        return builder.build();
    }

    private static void apply(
            Tickets tickets, ListenerConfig listener, CertificateConfig certificate, ServerContextBuilder builder) {
        builder.ticketKeys(tickets.keys())
                .clockTolerance(tickets.clockTolerance())
                .sessionTickets(tickets.count());
        byte[] context = ForeignSessions.context(tickets.sharing(), certificate.keyPairs());
        if (context != null && listener.tls().clientAuth() == ClientAuth.NONE) {
            builder.dangerouslySharedSessions(context);
        }
    }

    private static void apply(TlsOptions options, ServerContextBuilder builder) {
        builder.versions(
                options.minVersion() == TlsVersion.TLS_1_3 ? ProtocolVersion.TLS_1_3 : ProtocolVersion.TLS_1_2,
                ProtocolVersion.TLS_1_3);
        CipherSuites.of(options.ciphers()).applyTo(builder);
        if (!options.groups().isEmpty()) {
            builder.groups(options.groups());
        }
        Path authorities = options.clientCa();
        if (authorities != null) {
            builder.clientAuthentication(mode(options), authorities);
        }
    }

    private static ClientAuthentication mode(TlsOptions options) {
        return switch (options.clientAuth()) {
            case NONE -> ClientAuthentication.NONE;
            case OPTIONAL -> ClientAuthentication.OPTIONAL;
            case REQUIRED -> ClientAuthentication.REQUIRED;
        };
    }
}
