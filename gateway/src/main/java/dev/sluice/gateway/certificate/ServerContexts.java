package dev.sluice.gateway.certificate;

import dev.sluice.config.certificate.KeyPairFiles;
import dev.sluice.config.model.CertificateConfig;
import dev.sluice.config.model.ClientAuth;
import dev.sluice.config.model.ClientPolicy;
import dev.sluice.config.model.ListenerConfig;
import dev.sluice.config.model.ServerNamePattern;
import dev.sluice.config.model.SessionSharing;
import dev.sluice.config.model.TicketConfig;
import dev.sluice.config.model.TicketStoreConfig;
import dev.sluice.config.model.TlsOptions;
import dev.sluice.config.model.TlsVersion;
import dev.sluice.gateway.ocsp.StapleRound;
import dev.sluice.tls.certificate.ClientTrust;
import dev.sluice.tls.certificate.PemSource;
import dev.sluice.tls.certificate.StapleSource;
import dev.sluice.tls.context.ClientAuthentication;
import dev.sluice.tls.context.EarlyDataPolicy;
import dev.sluice.tls.context.ProtocolVersion;
import dev.sluice.tls.context.ServerContextBuilder;
import dev.sluice.tls.context.ServerNameSelector;
import dev.sluice.tls.context.SharedContext;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.ech.EchKeyRing;
import dev.sluice.tls.ticket.TicketKeyRing;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The maker of the TLS contexts of a listener on one loop: one for each certificate and client policy of a port. */
public final class ServerContexts {
    private final ListenerConfig listener;
    private final @Nullable Tickets tickets;
    private final @Nullable EarlyDataPolicy earlyData;
    private final @Nullable StapleRound staples;
    private final @Nullable EchKeyRing ech;
    private final LoadedCertificates loaded;
    private final Map<Choice, ServerContextBuilder> builders = new HashMap<>();
    /** Read once for the loop, however many hosts have the same. */
    private final Map<ClientPolicy, ClientTrust> trusts = new HashMap<>();

    private ServerContexts(
            ListenerConfig listener,
            @Nullable Tickets tickets,
            @Nullable EarlyDataPolicy earlyData,
            @Nullable StapleRound staples,
            @Nullable EchKeyRing ech,
            LoadedCertificates loaded) {
        this.listener = listener;
        this.tickets = tickets;
        this.earlyData = earlyData;
        this.staples = staples;
        this.ech = ech;
        this.loaded = loaded;
    }

    /** The properties that distinguish the contexts of one listener. */
    private record Choice(CertificateConfig certificate, ClientPolicy policy) {}

    /**
     * The settings of session resumption.
     *
     * @param clockTolerance for how much the clocks of those that share the keys may differ
     * @param sharing with what other kind of server, where clients are not authenticated
     * @param count how many tickets a client gets after a full handshake
     */
    public record Tickets(TicketKeyRing keys, Duration clockTolerance, SessionSharing sharing, int count) {
        /** Clocks of a fleet's nodes that differ by two days are wrong, and no reason to lose sessions. */
        private static final Duration FLEET_TOLERANCE = Duration.ofDays(2);

        public static Tickets of(TicketKeyRing keys, TicketConfig config) {
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
     * @param ech common to all loops; null: Encrypted ClientHello is ignored
     * @param loaded the certificates, which the contexts hold as long as they need them
     * @return the caller closes it
     * @throws dev.sluice.tls.failure.TlsConfigurationException naming value, cause and remedy
     */
    public static SharedContext of(
            ListenerConfig listener,
            @Nullable Tickets tickets,
            @Nullable EarlyDataPolicy earlyData,
            @Nullable StapleRound staples,
            @Nullable EchKeyRing ech,
            LoadedCertificates loaded) {
        ServerContexts contexts = new ServerContexts(listener, tickets, earlyData, staples, ech, loaded);
        try {
            return contexts.make();
        } finally {
            contexts.trusts.values().forEach(ClientTrust::close);
        }
    }

    private SharedContext make() {
        CertificateConfig first = listener.certificates().getFirst();
        boolean single = listener.certificates().size() == 1
                && listener.tls().hosts().isEmpty()
                && !listener.acceptPolicy().namesRequired();
        return single ? builder(first, listener.tls().client()).build() : selector(first);
    }

    /** Decides here, once, which certificate and policy each name has; a client's request is only looked up. */
    private SharedContext selector(CertificateConfig first) {
        ClientPolicy common = listener.tls().client();
        Map<ServerNamePattern, CertificateConfig> certificates = new LinkedHashMap<>();
        for (CertificateConfig certificate : listener.certificates()) {
            // Two certificates for one name: the one that stands first in the listener's list has it.
            certificate.serverNames().forEach(name -> certificates.putIfAbsent(name, certificate));
        }
        Map<ServerNamePattern, ClientPolicy> policies = new LinkedHashMap<>();
        listener.tls().hosts().forEach(host -> policies.put(host.name(), host.client()));
        Set<ServerNamePattern> names = new LinkedHashSet<>(certificates.keySet());
        names.addAll(policies.keySet());

        ServerNameSelector.Builder selector = ServerNameSelector.builder();
        if (!listener.acceptPolicy().namesRequired()) {
            selector.fallback(builder(first, common));
        }
        for (ServerNamePattern name : names) {
            selector.add(name.text(), builder(lookUp(name, certificates, first), lookUp(name, policies, common)));
        }
        return selector.build();
    }

    /** Returns the setting for a name: its own, else that of its wildcard, else the common one. */
    private static <T> T lookUp(ServerNamePattern name, Map<ServerNamePattern, T> said, T ofAll) {
        T own = said.get(name);
        return own != null ? own : said.getOrDefault(name.wildcard(), ofAll);
    }

    private ServerContextBuilder builder(CertificateConfig certificate, ClientPolicy policy) {
        return builders.computeIfAbsent(new Choice(certificate, policy), this::newBuilder);
    }

    private ServerContextBuilder newBuilder(Choice choice) {
        ServerContextBuilder builder = TlsContext.server()
                .virtualHost(choice.certificate().name())
                // One certificate that has expired must not keep the others from being served after a restart.
                .dangerouslyAllowExpiredCertificate();
        if (listener.acceptPolicy().alpnRequired()) {
            builder.alpnRequired(listener.alpn());
        } else {
            builder.alpn(listener.alpn());
        }
        for (KeyPairFiles pair : choice.certificate().keyPairs()) {
            builder.certificate(loaded.of(pair.files()));
        }
        apply(listener.tls(), builder);
        apply(choice.policy(), builder);
        if (tickets == null) {
            builder.sessionTickets(0);
        } else {
            apply(tickets, choice, builder);
        }
        if (earlyData != null) {
            builder.earlyData(earlyData);
        }
        StapleSource source = staples == null ? null : staples.source(choice.certificate());
        if (source != null) {
            builder.staples(source);
        }
        if (ech != null) {
            builder.encryptedHello(ech);
        }
        return builder;
    }

    private void apply(Tickets tickets, Choice choice, ServerContextBuilder builder) {
        builder.ticketKeys(tickets.keys())
                .clockTolerance(tickets.clockTolerance())
                .sessionTickets(tickets.count());
        byte[] context =
                ForeignSessions.context(tickets.sharing(), choice.certificate().keyPairs(), loaded);
        if (context != null && choice.policy().mode() == ClientAuth.NONE) {
            builder.dangerouslySharedSessions(context);
        }
    }

    private static void apply(TlsOptions options, ServerContextBuilder builder) {
        builder.versions(
                options.minVersion() == TlsVersion.TLS_1_3 ? ProtocolVersion.TLS_1_3 : ProtocolVersion.TLS_1_2,
                ProtocolVersion.TLS_1_3);
        builder.handshake(options.handshake());
        if (options.compressed()) {
            builder.compressedCertificates();
        }
        CipherSuites.of(options.ciphers()).applyTo(builder);
        if (!options.groups().isEmpty()) {
            builder.groups(options.groups());
        }
    }

    private void apply(ClientPolicy policy, ServerContextBuilder builder) {
        if (policy.mode() != ClientAuth.NONE) {
            builder.clientAuthentication(mode(policy), trusts.computeIfAbsent(policy, ServerContexts::load))
                    .clientNames(policy.names());
        }
    }

    private static ClientTrust load(ClientPolicy policy) {
        return ClientTrust.load(
                PemSource.file(Objects.requireNonNull(policy.authorities())),
                policy.revocations().stream().map(PemSource::file).toList(),
                policy.depth() == ClientPolicy.ANY_DEPTH ? ClientTrust.ANY_DEPTH : policy.depth());
    }

    private static ClientAuthentication mode(ClientPolicy policy) {
        return switch (policy.mode()) {
            case NONE -> ClientAuthentication.NONE;
            case OPTIONAL -> ClientAuthentication.OPTIONAL;
            case REQUIRED -> ClientAuthentication.REQUIRED;
        };
    }
}
