package dev.sluice.tls;

import static dev.sluice.ffi.openssl.OpenSslConstants.NID_ED25519;
import static dev.sluice.ffi.openssl.OpenSslConstants.NID_ED448;
import static dev.sluice.ffi.openssl.OpenSslConstants.NID_X9_62_id_ecPublicKey;
import static dev.sluice.ffi.openssl.OpenSslConstants.NID_rsaEncryption;
import static dev.sluice.ffi.openssl.OpenSslConstants.NID_rsassaPss;
import static dev.sluice.ffi.openssl.OpenSslConstants.NID_sha1;
import static dev.sluice.ffi.openssl.OpenSslConstants.NID_sha256;
import static dev.sluice.ffi.openssl.OpenSslConstants.NID_sha384;
import static dev.sluice.ffi.openssl.OpenSslConstants.NID_sha512;

import dev.sluice.ffi.openssl.Ssl;

/**
 * Signature algorithms under their names in TLS's registry. libssl tells only the kind of the key and the digest: with a key
 * for RSASSA-PSS alone, which no public authority certifies, {@code rsa_pss_pss_...} is told as {@code rsa_pss_rsae_...}.
 */
final class SignatureNames {
    /** Something was signed with an algorithm that is not known here. */
    private static final String OTHER = "other";

    private SignatureNames() {}

    /** What the server has signed the handshake with; "" when it has signed nothing. */
    static String of(Ssl ssl) {
        int key = ssl.signatureKey();
        return key == 0 ? "" : name(key, ssl.signatureDigest());
    }

    /** The name for the kind of a key and a digest, both NIDs. */
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

    /** The registry's names have a curve in them, which in TLS 1.2 need not be the key's. */
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
