package dev.sluice.gateway.ocsp;

/**
 * The library that knows the form of OCSP requests and responses. It lies beside the modules, on the class path, so
 * that a gateway none of whose certificates has a responder neither resolves nor loads any of it.
 */
final class BouncyCastle {
    private static final String ANY_CLASS = "org.bouncycastle.cert.ocsp.OCSPResp";

    private BouncyCastle() {}

    /**
     * Requires the library.
     *
     * @throws OcspException when it is not there
     */
    static void require() throws OcspException {
        Module own = BouncyCastle.class.getModule();
        own.addReads(BouncyCastle.class.getClassLoader().getUnnamedModule());
        try {
            Class.forName(ANY_CLASS, false, BouncyCastle.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new OcspException(
                    OcspFailure.INTERNAL,
                    "Bouncy Castle (" + ANY_CLASS
                            + ") is not there; start by ./sluice, or put bcpkix on the class path",
                    e);
        }
    }
}
