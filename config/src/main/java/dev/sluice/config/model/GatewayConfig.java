package dev.sluice.config.model;

import dev.sluice.config.certificate.CertificateSources;
import dev.sluice.config.certificate.KeyPairFiles;
import dev.sluice.config.log.AccessLogConfig;
import dev.sluice.config.monitoring.AlertConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a gateway. Immutable; references between the parts are resolved.
 *
 * @param listeners the addresses that clients connect to, at least one
 * @param certificates all certificates, unused ones included
 * @param sources directories of certificates, and files that cannot be served
 * @param backends all backends, unused ones included
 * @param limits bounds on time, connections and memory
 * @param loops the number of event loops, at least 1
 * @param transport the transport of the event loops
 * @param tickets session resumption by ticket; null: none
 * @param ocsp stapling of OCSP responses; null: none
 * @param admin the admin interfaces
 * @param alerts the alerts; null: none
 * @param accessLog the access log; null: none
 * @param drain the grace period of open connections after a stop
 * @param warmUp the warm-up after a start
 * @param operation the process around the gateway: its log, its push of metrics
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
        Duration drain,
        WarmUpMode warmUp,
        OperationConfig operation) {
    /** Copies the lists. */
    public GatewayConfig {
        listeners = List.copyOf(listeners);
        certificates = List.copyOf(certificates);
        backends = List.copyOf(backends);
    }

    /** Creates a configuration without admin interfaces, alerts and access log; OCSP responses are kept in memory. */
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
                drain,
                WarmUpMode.ON,
                OperationConfig.DEFAULT);
    }

    /** Returns the default number of event loops: one per processor. */
    public static int defaultLoops() {
        return Runtime.getRuntime().availableProcessors();
    }

    /**
     * Returns the files of certificates, keys, authorities and revocation lists, and directories of them, each once.
     */
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

    /** Returns the client-authentication policies of all listeners and virtual hosts. */
    public List<ClientPolicy> clientPolicies() {
        return listeners.stream()
                .map(ListenerConfig::tls)
                .flatMap(tls -> Stream.concat(
                        Stream.of(tls.client()), tls.hosts().stream().map(HostPolicy::client)))
                .distinct()
                .toList();
    }

    /** Returns a copy for a warm-up: with other listeners, one loop, a transport, no alerts and no OCSP. */
    public GatewayConfig forWarmUp(List<ListenerConfig> newListeners, TransportChoice newTransport) {
        return new GatewayConfig(
                newListeners,
                certificates,
                sources,
                backends,
                limits,
                1,
                newTransport,
                tickets,
                null,
                AdminConfig.NONE,
                null,
                null,
                drain,
                WarmUpMode.OFF,
                operation);
    }

    /** Returns a copy with another transport. */
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
                drain,
                warmUp,
                operation);
    }

    /** Returns a copy with another stapling of OCSP responses; null: none. */
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
                drain,
                warmUp,
                operation);
    }

    /** Returns a copy with other alerts; null: none. */
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
                drain,
                warmUp,
                operation);
    }

    /** Returns a copy with other admin interfaces. */
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
                drain,
                warmUp,
                operation);
    }
}
