package dev.sluice.tls.context;

import static dev.sluice.ffi.openssl.raw.OpenSslConstants.NID_ED25519;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.NID_ED448;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.NID_X9_62_id_ecPublicKey;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.NID_rsaEncryption;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.NID_rsassaPss;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.NID_sha1;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.NID_sha256;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.NID_sha384;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.NID_sha512;

import dev.sluice.ffi.openssl.Ssl;

/**
 * The names of signature algorithms in the TLS registry. libssl reports only key type and digest: for a key restricted
 * to RSASSA-PSS, which no public authority certifies, {@code rsa_pss_pss_...} is reported as {@code rsa_pss_rsae_...}.
 */
public final class SignatureNames {
    /** The name of an algorithm unknown here. */
    private static final String OTHER = "other";

    private SignatureNames() {}

    /** Returns the server's signature algorithm; "" without a signature. */
    public static String of(Ssl ssl) {
        int key = ssl.signatureKey();
        return key == 0 ? "" : name(key, ssl.signatureDigest());
    }

    /** Returns the name for a key type and a digest, both NIDs. */
    static String name(int key, int digest) {
        return switch (key) {
            case NID_X9_62_id_ecPublicKey -> ecdsa(digest);
            case NID_rsassaPss ->
                pick(digest, OTHER, "rsa_pss_rsae_sha256", "rsa_pss_rsae_sha384", "rsa_pss_rsae_sha512");
            case NID_rsaEncryption ->
                pick(digest, "rsa_pkcs1_sha1", "rsa_pkcs1_sha256", "rsa_pkcs1_sha384", "rsa_pkcs1_sha512");
            case NID_ED25519 -> "ed25519";
            case NID_ED448 -> "ed448";
            default -> OTHER;
        };
    }

    /** Returns the name for ECDSA. The registry's names include a curve, which in TLS 1.2 need not be the key's. */
    private static String ecdsa(int digest) {
        return pick(digest, "ecdsa_sha1", "ecdsa_secp256r1_sha256", "ecdsa_secp384r1_sha384", "ecdsa_secp521r1_sha512");
    }

    private static String pick(int digest, String sha1, String sha256, String sha384, String sha512) {
        return switch (digest) {
            case NID_sha1 -> sha1;
            case NID_sha256 -> sha256;
            case NID_sha384 -> sha384;
            case NID_sha512 -> sha512;
            default -> OTHER;
        };
    }
}
