package dev.sluice.jsse.context;

import dev.sluice.ffi.openssl.raw.OpenSslConstants;
import java.security.GeneralSecurityException;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.EdECKey;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;

/**
 * A private key that does not leave its provider, such as one of a PKCS #11 token or a key service, and signs there.
 *
 * @param number that of the native key which stands for it
 * @param publicKey that of its certificate, which decides on the algorithm
 */
public record DelegatedPrivateKey(long number, PrivateKey key, PublicKey publicKey) {
    private static final int PSS_TRAILER_FIELD = 1;

    /**
     * Signs a message. The provider is chosen by the key, as {@link Signature} does.
     *
     * @param digest OpenSSL's name of the digest, such as {@code SHA2-256}; "" for algorithms with their own
     * @param padding {@code RSA_PKCS1_PSS_PADDING}, or 0 for the default of the key's type
     * @throws GeneralSecurityException when no provider signs with the key in this way, or its provider refuses
     */
    public byte[] sign(String digest, int padding, byte[] message) throws GeneralSecurityException {
        boolean pss = padding == OpenSslConstants.RSA_PKCS1_PSS_PADDING;
        Signature signature = Signature.getInstance(pss ? "RSASSA-PSS" : algorithm(digest));
        signature.initSign(key); // chooses the provider, so it comes before the parameters
        if (pss) {
            signature.setParameter(pssParameters(bits(digest)));
        }
        signature.update(message);
        return signature.sign();
    }

    private String algorithm(String digest) throws NoSuchAlgorithmException {
        if (publicKey instanceof EdECKey edwards) {
            return edwards.getParams().getName();
        }
        return switch (publicKey.getAlgorithm()) {
            case "EC" -> "SHA" + bits(digest) + "withECDSA";
            case "RSA" -> "SHA" + bits(digest) + "withRSA";
            default -> throw new NoSuchAlgorithmException("no signature algorithm for " + publicKey.getAlgorithm());
        };
    }

    private static PSSParameterSpec pssParameters(int bits) {
        String digest = "SHA-" + bits;
        return new PSSParameterSpec(digest, "MGF1", new MGF1ParameterSpec(digest), bits / Byte.SIZE, PSS_TRAILER_FIELD);
    }

    /** Returns the size of a digest; versions of OpenSSL differ in the name. */
    private static int bits(String digest) throws NoSuchAlgorithmException {
        return switch (digest) {
            case "SHA2-256", "SHA256" -> 256;
            case "SHA2-384", "SHA384" -> 384;
            case "SHA2-512", "SHA512" -> 512;
            default -> throw new NoSuchAlgorithmException("no signatures with the digest " + digest);
        };
    }
}
