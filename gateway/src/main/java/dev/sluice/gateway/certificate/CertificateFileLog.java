package dev.sluice.gateway.certificate;

import dev.sluice.config.certificate.UnusableCertificate;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.gateway.log.GatewayLog;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Warns of certificate files that cannot be used: of each once, and again when something else is wrong with it.
 * Confined to one thread at a time.
 */
public final class CertificateFileLog {
    /** The most files to warn of at once: a directory may hold thousands. */
    static final int LINES_MAX = 10;

    private final GatewayLog log;
    private Set<UnusableCertificate> told = Set.of();

    public CertificateFileLog(GatewayLog log) {
        this.log = log;
    }

    /** Warns of what is new in a configuration that is served from now on. */
    public void follow(GatewayConfig config) {
        List<UnusableCertificate> unusable = config.sources().unusable();
        List<UnusableCertificate> fresh =
                unusable.stream().filter(each -> !told.contains(each)).toList();
        fresh.stream().limit(LINES_MAX).map(UnusableCertificate::line).forEach(log::warn);
        if (fresh.size() > LINES_MAX) {
            log.warn((fresh.size() - LINES_MAX)
                    + " more certificate files cannot be used; sluice check lists all of them");
        }
        if (unusable.isEmpty() && !told.isEmpty()) {
            log.info("all certificate files can be used again");
        }
        told = new HashSet<>(unusable);
    }
}
