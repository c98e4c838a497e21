package dev.sluice.gateway.ocsp;

import dev.sluice.config.certificate.KeyPairFiles;
import dev.sluice.config.model.CertificateConfig;
import dev.sluice.config.model.GatewayConfig;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.security.cert.CertificateException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Certificates that will not have the OCSP response which somebody expects. */
public final class OcspWarnings {
    private OcspWarnings() {}

    /**
     * One line per certificate that clients refuse without a response (RFC 7633, "must-staple"), and that never gets
     * any.
     */
    public static List<String> of(GatewayConfig config) {
        List<String> warnings = new ArrayList<>();
        for (CertificateConfig certificate : config.certificates()) {
            for (KeyPairFiles pair : certificate.keyPairs()) {
                String why = pair.revocation().mustStaple() ? whyNever(config, certificate, pair) : null;
                if (why != null) {
                    warnings.add("certificate " + certificate.name() + " (" + pair.chain()
                            + ") demands an OCSP response (must-staple, RFC 7633), and gets none, since " + why
                            + ", or have it issued without that demand: clients refuse it");
                }
            }
        }
        return warnings;
    }

    /**
     * One line per certificate whose responder cannot be asked, since nothing tells who issued it. Reads the chains.
     */
    public static List<String> ofIssuers(GatewayConfig config) {
        List<String> warnings = new ArrayList<>();
        for (CertificateConfig certificate : config.certificates()) {
            for (KeyPairFiles pair : certificate.keyPairs()) {
                URI responder =
                        config.ocsp() == null ? null : certificate.ocsp().responderOf(pair);
                if (responder != null && isIssuerMissing(certificate, pair)) {
                    warnings.add("certificate " + certificate.name() + " (" + pair.chain()
                            + ") names the OCSP responder " + responder + ", but " + CertificatePair.UNKNOWN_ISSUER);
                }
            }
        }
        return warnings;
    }

    private static boolean isIssuerMissing(CertificateConfig certificate, KeyPairFiles pair) {
        try {
            byte[] chain = Files.readAllBytes(pair.chain());
            return CertificatePair.find(chain, pair.sha256(), certificate.ocsp().issuers()) == null;
        } catch (IOException | CertificateException unreadable) {
            return false; // another check's concern
        }
    }

    private static @Nullable String whyNever(GatewayConfig config, CertificateConfig certificate, KeyPairFiles pair) {
        if (config.ocsp() == null) {
            return "ocsp is off; turn it on";
        }
        if (!certificate.ocsp().enabled()) {
            return "its ocsp is off; turn it on";
        }
        return certificate.ocsp().responderOf(pair) == null
                ? "it names no responder that is asked by http; name one by ocsp: {responder: URL}"
                : null;
    }
}
