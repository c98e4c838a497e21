package dev.sluice.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What {@link TestCertificates} shall issue. Begin with {@link #named} and change what differs.
 *
 * @param name file name stem and common name
 * @param algorithm kind of key
 * @param hosts subject alternative names: DNS names (wildcards too) and IP addresses
 * @param notBefore first moment of validity
 * @param notAfter last moment of validity
 * @param throughIntermediate whether an intermediate authority signs, and stands in the chain file
 */
public record CertificateRequest(
        String name,
        KeyAlgorithm algorithm,
        List<String> hosts,
        Instant notBefore,
        Instant notAfter,
        boolean throughIntermediate) {
    /** Kinds of keys that TLS servers use. */
    public enum KeyAlgorithm {
        /** NIST P-256. */
        ECDSA_P256,
        /** NIST P-384. */
        ECDSA_P384,
        /** RSA with 2,048 bits. */
        RSA_2048,
        /** Edwards curve 25519. */
        ED25519
    }

    /** ECDSA P-256, for localhost, valid from yesterday for 30 days, signed by the root. */
    public static CertificateRequest named(String name) {
        Instant now = Instant.now();
        return new CertificateRequest(
                name,
                KeyAlgorithm.ECDSA_P256,
                List.of("localhost", "127.0.0.1", "::1"),
                now.minus(Duration.ofDays(1)),
                now.plus(Duration.ofDays(30)),
                false);
    }

    /** The same with another kind of key. */
    public CertificateRequest with(KeyAlgorithm newAlgorithm) {
        return new CertificateRequest(name, newAlgorithm, hosts, notBefore, notAfter, throughIntermediate);
    }

    /** The same for other hosts. */
    public CertificateRequest forHosts(String... newHosts) {
        return new CertificateRequest(name, algorithm, List.of(newHosts), notBefore, notAfter, throughIntermediate);
    }

    /** The same, valid from {@code fromDays} to {@code toDays} from now; negative is the past. */
    public CertificateRequest valid(int fromDays, int toDays) {
        Instant now = Instant.now();
        return new CertificateRequest(
                name,
                algorithm,
                hosts,
                now.plus(Duration.ofDays(fromDays)),
                now.plus(Duration.ofDays(toDays)),
                throughIntermediate);
    }

    /** The same, signed by an intermediate authority. */
    public CertificateRequest viaIntermediate() {
        return new CertificateRequest(name, algorithm, hosts, notBefore, notAfter, true);
    }
}
