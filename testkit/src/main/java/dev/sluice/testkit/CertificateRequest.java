package dev.sluice.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1Object;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.x509.AccessDescription;
import org.bouncycastle.asn1.x509.AuthorityInformationAccess;
import org.bouncycastle.asn1.x509.GeneralName;

/**
 * A request for a certificate of {@link TestCertificates}. Start with {@link #named} and change the differences.
 *
 * @param name file name stem and common name
 * @param algorithm kind of key
 * @param hosts subject alternative names: DNS names (wildcards too), IP addresses, URIs and e-mail addresses
 * @param notBefore first moment of validity
 * @param notAfter last moment of validity
 * @param throughIntermediate true for an intermediate authority as issuer, included in the chain file
 * @param extensions further extensions by object identifier, not critical: the DER of each value
 */
public record CertificateRequest(
        String name,
        KeyAlgorithm algorithm,
        List<String> hosts,
        Instant notBefore,
        Instant notAfter,
        boolean throughIntermediate,
        Map<String, byte[]> extensions) {
    private static final String TLS_FEATURE = "1.3.6.1.5.5.7.1.24";
    private static final String AUTHORITY_INFORMATION_ACCESS = "1.3.6.1.5.5.7.1.1";

    /** Key types of TLS servers. */
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

    /** Returns a request for ECDSA P-256, localhost, valid from yesterday for 30 days, signed by the root. */
    public static CertificateRequest named(String name) {
        Instant now = Instant.now();
        return new CertificateRequest(
                name,
                KeyAlgorithm.ECDSA_P256,
                List.of("localhost", "127.0.0.1", "::1"),
                now.minus(Duration.ofDays(1)),
                now.plus(Duration.ofDays(30)),
                false,
                Map.of());
    }

    /** Returns the same request with another key type. */
    public CertificateRequest with(KeyAlgorithm newAlgorithm) {
        return new CertificateRequest(name, newAlgorithm, hosts, notBefore, notAfter, throughIntermediate, extensions);
    }

    /** Returns the same request for other hosts. */
    public CertificateRequest forHosts(String... newHosts) {
        return new CertificateRequest(
                name, algorithm, List.of(newHosts), notBefore, notAfter, throughIntermediate, extensions);
    }

    /** Returns the same request, valid from {@code fromDays} to {@code toDays} from now; negative is the past. */
    public CertificateRequest valid(int fromDays, int toDays) {
        Instant now = Instant.now();
        return new CertificateRequest(
                name,
                algorithm,
                hosts,
                now.plus(Duration.ofDays(fromDays)),
                now.plus(Duration.ofDays(toDays)),
                throughIntermediate,
                extensions);
    }

    /** Returns the same request, signed by an intermediate authority. */
    public CertificateRequest viaIntermediate() {
        return new CertificateRequest(name, algorithm, hosts, notBefore, notAfter, true, extensions);
    }

    /** Returns the same request with an OCSP responder (RFC 5280 section 4.2.2.1). */
    public CertificateRequest askingAt(String responder) {
        GeneralName url = new GeneralName(GeneralName.uniformResourceIdentifier, responder);
        return with(AUTHORITY_INFORMATION_ACCESS, new AuthorityInformationAccess(AccessDescription.id_ad_ocsp, url));
    }

    /** Returns the same request with a must-staple extension (RFC 7633): a list with the number of status_request. */
    public CertificateRequest mustStaple() {
        return with(TLS_FEATURE, new DERSequence(new ASN1Integer(5)));
    }

    private CertificateRequest with(String extension, ASN1Object value) {
        try {
            Map<String, byte[]> more = new HashMap<>(extensions);
            more.put(extension, value.getEncoded(ASN1Encoding.DER));
            return new CertificateRequest(name, algorithm, hosts, notBefore, notAfter, throughIntermediate, more);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
