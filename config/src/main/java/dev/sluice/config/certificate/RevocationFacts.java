package dev.sluice.config.certificate;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A certificate's statements on its revocation.
 *
 * @param responder its OCSP responder (RFC 5280 section 4.2.2.1), the first with an http URL; null: none
 * @param mustStaple true when clients must reject it without a stapled response (RFC 7633)
 */
public record RevocationFacts(@Nullable URI responder, boolean mustStaple) {
    /** No statements. */
    public static final RevocationFacts NONE = new RevocationFacts(null, false);

    private static final String AUTHORITY_INFORMATION_ACCESS = "1.3.6.1.5.5.7.1.1";
    private static final String TLS_FEATURE = "1.3.6.1.5.5.7.1.24";
    /** The object identifier 1.3.6.1.5.5.7.48.1, id-ad-ocsp, in DER. */
    private static final byte[] AD_OCSP = HexFormat.of().parseHex("2b06010505073001");
    /** A GeneralName that is a URI: [6], implicit. */
    private static final int URI_NAME = 0x86;
    /** The TLS extension status_request. */
    private static final int STATUS_REQUEST = 5;

    /** Reads the extensions of a certificate; a malformed one counts as absent. */
    public static RevocationFacts of(X509Certificate certificate) {
        byte[] access = certificate.getExtensionValue(AUTHORITY_INFORMATION_ACCESS);
        byte[] features = certificate.getExtensionValue(TLS_FEATURE);
        if (access == null && features == null) {
            return NONE;
        }
        return new RevocationFacts(responder(access), mustStaple(features));
    }

    private static @Nullable URI responder(byte @Nullable [] extension) {
        if (extension == null) {
            return null;
        }
        try {
            DerReader descriptions =
                    new DerReader(extension).enter(DerReader.OCTET_STRING).enter(DerReader.SEQUENCE);
            while (descriptions.hasMore()) {
                DerReader description = descriptions.enter(DerReader.SEQUENCE);
                boolean isOcsp = description.enter(DerReader.OBJECT_IDENTIFIER).contains(AD_OCSP);
                if (isOcsp && description.tag() == URI_NAME) {
                    String location = new String(description.enter(URI_NAME).contents(), StandardCharsets.US_ASCII);
                    if (location.regionMatches(true, 0, "http://", 0, "http://".length())) {
                        return URI.create(location);
                    }
                }
            }
        } catch (IllegalArgumentException damaged) {
            // not a URI, or not DER
        }
        return null;
    }

    private static boolean mustStaple(byte @Nullable [] extension) {
        if (extension == null) {
            return false;
        }
        try {
            DerReader features =
                    new DerReader(extension).enter(DerReader.OCTET_STRING).enter(DerReader.SEQUENCE);
            while (features.hasMore()) {
                if (features.enter(DerReader.INTEGER).contains(STATUS_REQUEST)) {
                    return true;
                }
            }
        } catch (IllegalArgumentException damaged) {
            // counts as absent: a client cannot read it either
        }
        return false;
    }
}
