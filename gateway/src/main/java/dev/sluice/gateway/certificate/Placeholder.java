package dev.sluice.gateway.certificate;

import dev.sluice.ffi.openssl.EvpPkey;
import dev.sluice.ffi.openssl.SelfSignedCertificate;
import dev.sluice.ffi.openssl.X509;
import dev.sluice.tls.certificate.Identity;
import java.time.Duration;
import java.util.List;

/** A factory of self-signed certificates that are served until an authority has issued one. */
final class Placeholder {
    private static final Duration VALIDITY = Duration.ofDays(90);

    private Placeholder() {}

    /**
     * Makes one with a key on P-256.
     *
     * @param source the name in messages
     * @param names the names to serve
     * @return the caller closes it
     */
    static Identity of(String source, List<String> names) {
        EvpPkey key = EvpPkey.generateElliptic("P-256");
        X509 certificate;
        try {
            certificate = SelfSignedCertificate.make(key, "Sluice placeholder", names, VALIDITY);
        } catch (Throwable e) {
            key.close();
            throw e;
        }
        return Identity.selfSigned(source, certificate, key);
    }
}
