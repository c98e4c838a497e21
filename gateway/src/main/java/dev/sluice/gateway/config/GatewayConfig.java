package dev.sluice.gateway.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a gateway serves. Immutable; references between the parts are resolved.
 *
 * @param listeners where clients connect, at least one
 * @param certificates all certificates, those that no listener uses included
 * @param sources directories of certificates, and files that cannot be served
 * @param backends all backends, those that no route uses included
 * @param limits bounds on time, connections and memory
 * @param loops event loops, at least 1
 * @param transport what the event loops run on
 * @param tickets how clients may resume by session ticket; null: not at all
 * @param ocsp how OCSP responses are stapled to certificates; null: not at all
 * @param admin where it can be asked and told while it runs
 * @param alerts what is watched for; null: nothing
 * @param accessLog where a line for each connection is written; null: nowhere
 * @param drain how long open connections may go on after a stop was asked for
 */
public record GatewayConfig(
        List<ListenerConfig> listeners,
        List<CertificateConfig> certificates,
        CertificateSources sources,
        List<BackendConfig> backends,
        LimitsConfig limits,
        int loops,
        TransportChoice transport,
        @Nullable TicketConfig tickets,
        @Nullable OcspConfig ocsp,
        AdminConfig admin,
        @Nullable AlertConfig alerts,
        @Nullable AccessLogConfig accessLog,
        Duration drain) {
    /** How long a stop waits for open connections unless configured: 30 s. */
    public static final Duration DEFAULT_DRAIN = Duration.ofSeconds(30);

    /** Most event loops that may be configured. */
    public static final int LOOPS_MAX = 1024;

    /** Copies the lists. */
    public GatewayConfig {
        listeners = List.copyOf(listeners);
        certificates = List.copyOf(certificates);
        backends = List.copyOf(backends);
    }

    /** Without a place to be asked at, alerts and an access log, and with responses stapled that are kept in memory. */
    public GatewayConfig(
            List<ListenerConfig> listeners,
            List<CertificateConfig> certificates,
            List<BackendConfig> backends,
            LimitsConfig limits,
            int loops,
            TransportChoice transport,
            @Nullable TicketConfig tickets,
            Duration drain) {
        this(
                listeners,
                certificates,
                CertificateSources.NONE,
                backends,
                limits,
                loops,
                transport,
                tickets,
                OcspConfig.DEFAULT,
                AdminConfig.NONE,
                null,
                null,
                drain);
    }

    /** One event loop per processor. */
    public static int defaultLoops() {
        return Runtime.getRuntime().availableProcessors();
    }

    /** The files with certificates, keys, authorities and revocation lists that it was made of, and directories of them, each once. */
    public List<Path> files() {
        Set<Path> files = new LinkedHashSet<>(sources.directories());
        sources.unusable().forEach(unusable -> files.addAll(unusable.files()));
        for (CertificateConfig certificate : certificates) {
            for (KeyPairFiles pair : certificate.keyPairs()) {
                files.add(pair.chain());
                files.add(pair.key());
                Path passphrase = pair.files().passphrase();
                if (passphrase != null) {
                    files.add(passphrase);
                }
            }
            Path issuers = certificate.ocsp().issuers();
            if (issuers != null) {
                files.add(issuers);
            }
        }
        for (ClientPolicy policy : clientPolicies()) {
            if (policy.authorities() != null) {
                files.add(policy.authorities());
            }
            files.addAll(policy.revocations());
        }
        for (BackendConfig backend : backends) {
            BackendTlsConfig tls = backend.tls();
            Path authorities = tls == null ? null : tls.authorities();
            if (authorities != null) {
                files.add(authorities);
            }
        }
        return List.copyOf(files);
    }

    /** How clients prove who they are, everywhere. */
    public List<ClientPolicy> clientPolicies() {
        return listeners.stream()
                .map(ListenerConfig::tls)
                .flatMap(tls -> Stream.concat(
                        Stream.of(tls.client()), tls.hosts().stream().map(HostPolicy::client)))
                .distinct()
                .toList();
    }

    /** The same with other listeners. */
    public GatewayConfig withListeners(List<ListenerConfig> newListeners) {
        return new GatewayConfig(
                newListeners,
                certificates,
                sources,
                backends,
                limits,
                loops,
                transport,
                tickets,
                ocsp,
                admin,
                alerts,
                accessLog,
                drain);
    }

    /** The same on another transport. */
    public GatewayConfig withTransport(TransportChoice newTransport) {
        return new GatewayConfig(
                listeners,
                certificates,
                sources,
                backends,
                limits,
                loops,
                newTransport,
                tickets,
                ocsp,
                admin,
                alerts,
                accessLog,
                drain);
    }

    /** The same with other limits. */
    public GatewayConfig withLimits(LimitsConfig newLimits) {
        return new GatewayConfig(
                listeners,
                certificates,
                sources,
                backends,
                newLimits,
                loops,
                transport,
                tickets,
                ocsp,
                admin,
                alerts,
                accessLog,
                drain);
    }

    /** The same with another number of event loops. */
    public GatewayConfig withLoops(int newLoops) {
        return new GatewayConfig(
                listeners,
                certificates,
                sources,
                backends,
                limits,
                newLoops,
                transport,
                tickets,
                ocsp,
                admin,
                alerts,
                accessLog,
                drain);
    }

    /** The same with other tickets; null: none. */
    public GatewayConfig withTickets(@Nullable TicketConfig newTickets) {
        return new GatewayConfig(
                listeners,
                certificates,
                sources,
                backends,
                limits,
                loops,
                transport,
                newTickets,
                ocsp,
                admin,
                alerts,
                accessLog,
                drain);
    }

    /** The same with other staples; null: none. */
    public GatewayConfig withOcsp(@Nullable OcspConfig newOcsp) {
        return new GatewayConfig(
                listeners,
                certificates,
                sources,
                backends,
                limits,
                loops,
                transport,
                tickets,
                newOcsp,
                admin,
                alerts,
                accessLog,
                drain);
    }

    /** The same with other alerts; null: none. */
    public GatewayConfig withAlerts(@Nullable AlertConfig newAlerts) {
        return new GatewayConfig(
                listeners,
                certificates,
                sources,
                backends,
                limits,
                loops,
                transport,
                tickets,
                ocsp,
                admin,
                newAlerts,
                accessLog,
                drain);
    }

    /** The same with another access log; null: none. */
    public GatewayConfig withAccessLog(@Nullable AccessLogConfig newAccessLog) {
        return new GatewayConfig(
                listeners,
                certificates,
                sources,
                backends,
                limits,
                loops,
                transport,
                tickets,
                ocsp,
                admin,
                alerts,
                newAccessLog,
                drain);
    }

    /** The same with another place to be asked at. */
    public GatewayConfig withAdmin(AdminConfig newAdmin) {
        return new GatewayConfig(
                listeners,
                certificates,
                sources,
                backends,
                limits,
                loops,
                transport,
                tickets,
                ocsp,
                newAdmin,
                alerts,
                accessLog,
                drain);
    }

    /** The same with another grace period. */
    public GatewayConfig withDrain(Duration newDrain) {
        return new GatewayConfig(
                listeners,
                certificates,
                sources,
                backends,
                limits,
                loops,
                transport,
                tickets,
                ocsp,
                admin,
                alerts,
                accessLog,
                newDrain);
    }
}
