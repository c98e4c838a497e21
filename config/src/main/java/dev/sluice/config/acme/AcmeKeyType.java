package dev.sluice.config.acme;

import java.util.Locale;

/** The kind of key of a certificate that is ordered. */
public enum AcmeKeyType {
    /** ECDSA on P-256. */
    ECDSA("EC"),
    /** RSA of 2048 bits. */
    RSA("RSA");

    private final String algorithm;

    AcmeKeyType(String algorithm) {
        this.algorithm = algorithm;
    }

    /** Returns the algorithm as Java and {@link dev.sluice.config.certificate.KeyPairFiles#keyType} name it. */
    public String algorithm() {
        return algorithm;
    }

    /** Returns the word of the configuration and of files. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
