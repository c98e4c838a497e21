package dev.sluice.jsse.conformance;

import dev.sluice.testkit.Credential;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.ProviderException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.SignatureSpi;
import java.security.interfaces.RSAKey;
import java.security.spec.AlgorithmParameterSpec;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A security provider whose keys do not leave it, as those of a PKCS#11 token or a key-management service: a key has no
 * encoding, and signs through this provider alone.
 */
final class OpaqueKeys extends Provider {
    /** The message of a key whose token was removed. */
    static final String REMOVED = "the token was removed";

    private static final long serialVersionUID = 1;
    private static final List<String> ALGORITHMS =
            List.of("SHA256withECDSA", "SHA384withECDSA", "SHA512withECDSA", "SHA256withRSA", "RSASSA-PSS", "Ed25519");

    /** The number of signatures made by a thread that was not in a delegated task. */
    private static final AtomicInteger OUTSIDE_OF_TASKS = new AtomicInteger();

    @SuppressWarnings("this-escape") // A provider registers its services while it is made.
    OpaqueKeys() {
        super("OpaqueKeys", "1", "Keys that do not leave their provider.");
        for (String algorithm : ALGORITHMS) {
            putService(
                    new Service(
                            this,
                            "Signature",
                            algorithm,
                            OpaqueSignature.class.getName(),
                            List.of(),
                            Map.of("SupportedKeyClasses", OpaqueKey.class.getName())) {
                        @Override
                        public Object newInstance(@Nullable Object parameter) {
                            return new OpaqueSignature(getAlgorithm());
                        }

                        @Override
                        public boolean supportsParameter(@Nullable Object parameter) {
                            return parameter instanceof OpaqueKey;
                        }
                    });
        }
    }

    /** Returns a credential whose key signs through this provider alone. */
    static Credential hide(Credential credential) {
        PrivateKey hidden = credential.key() instanceof RSAKey rsa
                ? new OpaqueRsaKey(credential.key(), rsa.getModulus())
                : new OpaqueKey(credential.key());
        return with(credential, hidden);
    }

    /** Returns a credential whose key fails to sign, as that of a token which was removed. */
    static Credential remove(Credential credential) {
        return with(credential, new RemovedKey(credential.key()));
    }

    private static Credential with(Credential credential, PrivateKey key) {
        return new Credential(credential.chainFile(), credential.keyFile(), credential.chain(), key);
    }

    /** Returns how many signatures were made outside of delegated tasks so far. */
    static int signaturesOutsideOfTasks() {
        return OUTSIDE_OF_TASKS.get();
    }

    /** A key without an encoding. */
    private static class OpaqueKey implements PrivateKey {
        private static final long serialVersionUID = 1;

        private final transient PrivateKey key;

        OpaqueKey(PrivateKey key) {
            this.key = key;
        }

        @Override
        public String getAlgorithm() {
            return key.getAlgorithm();
        }

        @Override
        public @Nullable String getFormat() {
            return null;
        }

        @Override
        public byte @Nullable [] getEncoded() {
            return null;
        }
    }

    /** A key whose size is public, as that of a PKCS#11 token. */
    private static final class OpaqueRsaKey extends OpaqueKey implements RSAKey {
        private static final long serialVersionUID = 1;

        private final BigInteger modulus;

        OpaqueRsaKey(PrivateKey key, BigInteger modulus) {
            super(key);
            this.modulus = modulus;
        }

        @Override
        public BigInteger getModulus() {
            return modulus;
        }

        @Override
        public @Nullable AlgorithmParameterSpec getParams() {
            return null;
        }
    }

    /** A key whose signatures fail. */
    private static final class RemovedKey extends OpaqueKey {
        private static final long serialVersionUID = 1;

        RemovedKey(PrivateKey key) {
            super(key);
        }
    }

    /** A signature by the JDK with the key inside. */
    private static final class OpaqueSignature extends SignatureSpi {
        private final Signature signature;
        private @Nullable PrivateKey signer;

        OpaqueSignature(String algorithm) {
            try {
                signature = Signature.getInstance(algorithm);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        protected void engineInitSign(PrivateKey key) throws InvalidKeyException {
            if (!(key instanceof OpaqueKey opaque)) {
                throw new InvalidKeyException("not a key of this provider");
            }
            signer = key;
            signature.initSign(opaque.key);
        }

        @Override
        protected void engineInitVerify(PublicKey key) throws InvalidKeyException {
            throw new InvalidKeyException("this provider does not verify");
        }

        @Override
        protected void engineSetParameter(AlgorithmParameterSpec spec) throws InvalidAlgorithmParameterException {
            signature.setParameter(spec);
        }

        @Override
        protected void engineUpdate(byte each) throws SignatureException {
            signature.update(each);
        }

        @Override
        protected void engineUpdate(byte[] bytes, int offset, int length) throws SignatureException {
            signature.update(bytes, offset, length);
        }

        @Override
        protected byte[] engineSign() throws SignatureException {
            if (signer instanceof RemovedKey) {
                throw new ProviderException(REMOVED);
            }
            if (!isInTask()) {
                OUTSIDE_OF_TASKS.incrementAndGet();
            }
            return signature.sign();
        }

        private static boolean isInTask() {
            return StackWalker.getInstance()
                    .walk(frames ->
                            frames.anyMatch(frame -> frame.getClassName().equals(EnginePeer.class.getName())
                                    && frame.getMethodName().equals("runTasks")));
        }

        @Override
        protected boolean engineVerify(byte[] bytes) throws SignatureException {
            throw new SignatureException("this provider does not verify");
        }

        @Override
        @SuppressWarnings({"deprecation", "InlineMeSuggester"}) // Abstract in the class above.
        protected void engineSetParameter(String name, Object value) {
            throw new UnsupportedOperationException(name);
        }

        @Override
        @SuppressWarnings("deprecation") // Abstract in the class above.
        protected Object engineGetParameter(String name) {
            throw new UnsupportedOperationException(name);
        }
    }
}
