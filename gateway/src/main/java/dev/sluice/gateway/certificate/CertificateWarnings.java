package dev.sluice.gateway.certificate;

import dev.sluice.config.certificate.KeyPairFiles;
import dev.sluice.config.certificate.RevocationList;
import dev.sluice.config.model.CertificateConfig;
import dev.sluice.config.model.ClientPolicy;
import dev.sluice.config.model.GatewayConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Certificates that clients refuse, or soon will, and lists by which clients are refused. They are served all the same:
 * a restart must not take down a whole gateway because one of its certificates has expired.
 */
public final class CertificateWarnings {
    /** The time before its end from which on a certificate causes a warning: 14 days. */
    static final Duration NEAR_END = Duration.ofDays(14);

    private CertificateWarnings() {}

    /**
     * A line for each certificate that is outside its validity at a moment, or near its end, and for what is odd about
     * one.
     */
    public static List<String> of(GatewayConfig config, Instant now) {
        List<String> warnings = new ArrayList<>();
        for (CertificateConfig certificate : config.certificates()) {
            for (KeyPairFiles pair : certificate.keyPairs()) {
                String what = "certificate " + certificate.name() + " (" + pair.chain() + ") ";
                if (now.isBefore(pair.notBefore())) {
                    warnings.add(what + "is not valid before " + pair.notBefore() + "; check this machine's clock");
                } else if (now.isAfter(pair.notAfter())) {
                    warnings.add(what + "expired at " + pair.notAfter() + "; clients refuse it, renew it");
                } else if (now.plus(nearEnd(certificate, pair)).isAfter(pair.notAfter())) {
                    warnings.add(what + "expires at " + pair.notAfter() + "; renew it");
                }
                pair.warnings().forEach(warning -> warnings.add("certificate " + certificate.name() + ": " + warning));
            }
        }
        config.clientPolicies().forEach(policy -> addAll(policy, now, warnings));
        return warnings;
    }

    /** A certificate of six days that is renewed by ACME is near its end when its renewal has come to nothing. */
    private static Duration nearEnd(CertificateConfig certificate, KeyPairFiles pair) {
        Duration quarter = Duration.between(pair.notBefore(), pair.notAfter()).dividedBy(4);
        return certificate.acme() != null && quarter.compareTo(NEAR_END) < 0 ? quarter : NEAR_END;
    }

    private static void addAll(ClientPolicy policy, Instant now, List<String> warnings) {
        for (RevocationList list : policy.lists()) {
            if (now.isAfter(list.nextUpdate())) {
                warnings.add("revocation list of " + list.issuer() + " (" + list.file() + ") expired at "
                        + list.nextUpdate() + "; clients of this authority are refused until there is a new one");
            }
        }
        warnings.addAll(policy.warnings());
    }
}
