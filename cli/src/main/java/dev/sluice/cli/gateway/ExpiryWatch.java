package dev.sluice.cli.gateway;

import dev.sluice.config.model.GatewayConfig;
import dev.sluice.gateway.certificate.CertificateWarnings;
import dev.sluice.gateway.log.GatewayLog;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * An hourly check for expiring objects while the gateway runs; a start and a reload warn of those that expire by then.
 * Warns once about each, and again when it is worse. Confined to one thread.
 */
final class ExpiryWatch {
    private static final Duration PAUSE = Duration.ofHours(1);

    private final InstantSource clock;
    private final GatewayLog log;
    private Set<String> told = Set.of();
    private Instant next;

    ExpiryWatch(InstantSource clock, GatewayLog log) {
        this.clock = clock;
        this.log = log;
        this.next = clock.instant();
    }

    /** Marks all current warnings as reported. */
    void toldAll(GatewayConfig config) {
        Instant now = clock.instant();
        told = Set.copyOf(CertificateWarnings.of(config, now));
        next = now.plus(PAUSE);
    }

    /** Warns about new expiries, when a check is due. */
    void look(GatewayConfig config) {
        Instant now = clock.instant();
        if (now.isBefore(next)) {
            return;
        }
        List<String> warnings = CertificateWarnings.of(config, now);
        Set<String> before = told;
        warnings.stream().filter(warning -> !before.contains(warning)).forEach(log::warn);
        told = new HashSet<>(warnings);
        next = now.plus(PAUSE);
    }
}
