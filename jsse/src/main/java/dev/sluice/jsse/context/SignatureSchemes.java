package dev.sluice.jsse.context;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The signature schemes of the TLS registry, with the names by which key and trust managers know their algorithms.
 * Ordered by preference.
 */
public enum SignatureSchemes {
    ECDSA_SECP256R1_SHA256(0x0403, "SHA256withECDSA", "EC"),
    ECDSA_SECP384R1_SHA384(0x0503, "SHA384withECDSA", "EC"),
    ECDSA_SECP521R1_SHA512(0x0603, "SHA512withECDSA", "EC"),
    ED25519(0x0807, "Ed25519", "EdDSA"),
    ED448(0x0808, "Ed448", "EdDSA"),
    RSA_PSS_RSAE_SHA256(0x0804, "RSASSA-PSS", "RSA"),
    RSA_PSS_RSAE_SHA384(0x0805, "RSASSA-PSS", "RSA"),
    RSA_PSS_RSAE_SHA512(0x0806, "RSASSA-PSS", "RSA"),
    RSA_PSS_PSS_SHA256(0x0809, "RSASSA-PSS", "RSASSA-PSS"),
    RSA_PSS_PSS_SHA384(0x080A, "RSASSA-PSS", "RSASSA-PSS"),
    RSA_PSS_PSS_SHA512(0x080B, "RSASSA-PSS", "RSASSA-PSS"),
    RSA_PKCS1_SHA256(0x0401, "SHA256withRSA", "RSA"),
    RSA_PKCS1_SHA384(0x0501, "SHA384withRSA", "RSA"),
    RSA_PKCS1_SHA512(0x0601, "SHA512withRSA", "RSA");

    /** The algorithms of all schemes, by JCA's names. */
    private static final List<String> ALGORITHMS = algorithms();

    private final int number;
    private final String algorithm;
    private final String keyType;

    SignatureSchemes(int number, String algorithm, String keyType) {
        this.number = number;
        this.algorithm = algorithm;
        this.keyType = keyType;
    }

    private static List<String> algorithms() {
        Set<String> names = new LinkedHashSet<>();
        for (SignatureSchemes scheme : values()) {
            names.add(scheme.algorithm);
        }
        return List.copyOf(names);
    }

    /** Returns the algorithms that we accept, by JCA's names. */
    public static List<String> accepted() {
        return ALGORITHMS;
    }

    /** Returns the algorithms of schemes that a peer offers, by JCA's names, without those unknown here. */
    public static List<String> algorithms(List<Integer> numbers) {
        Set<String> names = new LinkedHashSet<>();
        for (SignatureSchemes scheme : known(numbers)) {
            names.add(scheme.algorithm);
        }
        return List.copyOf(names);
    }

    /**
     * Returns the types of keys that can sign for a peer, by its preference.
     *
     * @param numbers the peer's schemes; without any, as in TLS 1.2, all types
     */
    public static List<String> keyTypes(List<Integer> numbers) {
        Set<String> types = new LinkedHashSet<>();
        for (SignatureSchemes scheme : numbers.isEmpty() ? List.of(values()) : known(numbers)) {
            types.add(scheme.keyType);
        }
        return List.copyOf(types);
    }

    private static List<SignatureSchemes> known(List<Integer> numbers) {
        List<SignatureSchemes> known = new ArrayList<>();
        for (int number : numbers) {
            for (SignatureSchemes scheme : values()) {
                if (scheme.number == number) {
                    known.add(scheme);
                }
            }
        }
        return known;
    }
}
