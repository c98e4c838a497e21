package dev.sluice.doctor.wire;

import java.util.Arrays;
import java.util.List;

/** The cipher suites of the audit (IANA registry): those in use, and those that should no longer be accepted. */
public enum Suite {
    /** TLS 1.3. */
    TLS_AES_128_GCM_SHA256(0x1301),
    /** TLS 1.3. */
    TLS_AES_256_GCM_SHA384(0x1302),
    /** TLS 1.3. */
    TLS_CHACHA20_POLY1305_SHA256(0x1303),
    /** TLS 1.3. */
    TLS_AES_128_CCM_SHA256(0x1304),
    /** TLS 1.3. */
    TLS_AES_128_CCM_8_SHA256(0x1305),
    TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256(0xC02B),
    TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256(0xC02F),
    TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384(0xC02C),
    TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384(0xC030),
    TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256(0xCCA9),
    TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256(0xCCA8),
    TLS_DHE_RSA_WITH_AES_128_GCM_SHA256(0x009E),
    TLS_DHE_RSA_WITH_AES_256_GCM_SHA384(0x009F),
    TLS_DHE_RSA_WITH_CHACHA20_POLY1305_SHA256(0xCCAA),
    TLS_ECDHE_ECDSA_WITH_AES_128_CCM(0xC0AC),
    TLS_ECDHE_ECDSA_WITH_AES_256_CCM(0xC0AD),
    TLS_ECDHE_ECDSA_WITH_AES_128_CCM_8(0xC0AE),
    TLS_ECDHE_ECDSA_WITH_AES_256_CCM_8(0xC0AF),
    TLS_ECDHE_ECDSA_WITH_ARIA_128_GCM_SHA256(0xC05C),
    TLS_ECDHE_ECDSA_WITH_ARIA_256_GCM_SHA384(0xC05D),
    TLS_ECDHE_RSA_WITH_ARIA_128_GCM_SHA256(0xC060),
    TLS_ECDHE_RSA_WITH_ARIA_256_GCM_SHA384(0xC061),
    TLS_DHE_RSA_WITH_AES_128_CCM(0xC09E),
    TLS_DHE_RSA_WITH_AES_256_CCM(0xC09F),
    TLS_DHE_RSA_WITH_AES_128_CCM_8(0xC0A2),
    TLS_DHE_RSA_WITH_AES_256_CCM_8(0xC0A3),
    TLS_DHE_RSA_WITH_ARIA_128_GCM_SHA256(0xC052),
    TLS_DHE_RSA_WITH_ARIA_256_GCM_SHA384(0xC053),
    TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256(0xC023),
    TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256(0xC027),
    TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384(0xC024),
    TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384(0xC028),
    TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA(0xC009),
    TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA(0xC013),
    TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA(0xC00A),
    TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA(0xC014),
    TLS_DHE_RSA_WITH_AES_128_CBC_SHA(0x0033),
    TLS_DHE_RSA_WITH_AES_256_CBC_SHA(0x0039),
    TLS_DHE_RSA_WITH_AES_128_CBC_SHA256(0x0067),
    TLS_DHE_RSA_WITH_AES_256_CBC_SHA256(0x006B),
    TLS_ECDHE_RSA_WITH_CAMELLIA_128_CBC_SHA256(0xC076),
    TLS_ECDHE_RSA_WITH_CAMELLIA_256_CBC_SHA384(0xC077),
    TLS_ECDHE_ECDSA_WITH_CAMELLIA_128_CBC_SHA256(0xC072),
    TLS_ECDHE_ECDSA_WITH_CAMELLIA_256_CBC_SHA384(0xC073),
    TLS_DHE_RSA_WITH_CAMELLIA_128_CBC_SHA256(0x00BE),
    TLS_DHE_RSA_WITH_CAMELLIA_256_CBC_SHA256(0x00C4),
    TLS_DHE_RSA_WITH_CAMELLIA_128_CBC_SHA(0x0045),
    TLS_DHE_RSA_WITH_CAMELLIA_256_CBC_SHA(0x0088),
    TLS_RSA_WITH_AES_128_GCM_SHA256(0x009C),
    TLS_RSA_WITH_AES_256_GCM_SHA384(0x009D),
    TLS_RSA_WITH_AES_128_CCM(0xC09C),
    TLS_RSA_WITH_AES_256_CCM(0xC09D),
    TLS_RSA_WITH_AES_128_CCM_8(0xC0A0),
    TLS_RSA_WITH_AES_256_CCM_8(0xC0A1),
    TLS_RSA_WITH_ARIA_128_GCM_SHA256(0xC050),
    TLS_RSA_WITH_ARIA_256_GCM_SHA384(0xC051),
    TLS_RSA_WITH_AES_128_CBC_SHA256(0x003C),
    TLS_RSA_WITH_AES_256_CBC_SHA256(0x003D),
    TLS_RSA_WITH_AES_128_CBC_SHA(0x002F),
    TLS_RSA_WITH_AES_256_CBC_SHA(0x0035),
    TLS_RSA_WITH_CAMELLIA_128_CBC_SHA(0x0041),
    TLS_RSA_WITH_CAMELLIA_256_CBC_SHA(0x0084),
    TLS_RSA_WITH_CAMELLIA_128_CBC_SHA256(0x00BA),
    TLS_RSA_WITH_CAMELLIA_256_CBC_SHA256(0x00C0),
    TLS_RSA_WITH_SEED_CBC_SHA(0x0096),
    TLS_RSA_WITH_IDEA_CBC_SHA(0x0007),
    TLS_ECDHE_ECDSA_WITH_3DES_EDE_CBC_SHA(0xC008),
    TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA(0xC012),
    TLS_DHE_RSA_WITH_3DES_EDE_CBC_SHA(0x0016),
    TLS_RSA_WITH_3DES_EDE_CBC_SHA(0x000A),
    TLS_ECDHE_ECDSA_WITH_RC4_128_SHA(0xC007),
    TLS_ECDHE_RSA_WITH_RC4_128_SHA(0xC011),
    TLS_RSA_WITH_RC4_128_SHA(0x0005),
    TLS_RSA_WITH_RC4_128_MD5(0x0004),
    TLS_RSA_WITH_DES_CBC_SHA(0x0009),
    TLS_DHE_RSA_WITH_DES_CBC_SHA(0x0015),
    TLS_RSA_EXPORT_WITH_RC4_40_MD5(0x0003),
    TLS_RSA_EXPORT_WITH_DES40_CBC_SHA(0x0008),
    TLS_DH_anon_WITH_AES_128_CBC_SHA(0x0034),
    TLS_DH_anon_WITH_AES_256_CBC_SHA(0x003A),
    TLS_DH_anon_WITH_AES_128_CBC_SHA256(0x006C),
    TLS_DH_anon_WITH_AES_256_CBC_SHA256(0x006D),
    TLS_DH_anon_WITH_AES_128_GCM_SHA256(0x00A6),
    TLS_DH_anon_WITH_AES_256_GCM_SHA384(0x00A7),
    TLS_ECDH_anon_WITH_AES_128_CBC_SHA(0xC018),
    TLS_ECDH_anon_WITH_AES_256_CBC_SHA(0xC019),
    TLS_ECDH_anon_WITH_NULL_SHA(0xC015),
    TLS_RSA_WITH_NULL_SHA256(0x003B),
    TLS_RSA_WITH_NULL_SHA(0x0002),
    TLS_RSA_WITH_NULL_MD5(0x0001),
    TLS_ECDHE_RSA_WITH_NULL_SHA(0xC010),
    TLS_ECDHE_ECDSA_WITH_NULL_SHA(0xC006);

    /** The suites offered with TLS 1.3. */
    public static final List<Suite> OF_TLS_1_3 =
            Arrays.stream(values()).filter(Suite::isTls13).toList();

    /** The suites offered with older versions. */
    public static final List<Suite> OF_OLDER =
            Arrays.stream(values()).filter(suite -> !suite.isTls13()).toList();

    private final int number;

    Suite(int number) {
        this.number = number;
    }

    /** Returns the number in messages. */
    public int number() {
        return number;
    }

    /** Returns whether the suite belongs to TLS 1.3, which has no suites in common with other versions. */
    boolean isTls13() {
        return number >>> 8 == 0x13;
    }

    /**
     * Returns whether the client sends the secret encrypted with the server's RSA key: whoever obtains the key can
     * decrypt recorded traffic.
     */
    public boolean isRsaKeyExchange() {
        return name().startsWith("TLS_RSA_");
    }

    /** Returns whether the suite can be broken today with little effort. */
    public boolean isBroken() {
        return has("_NULL_") || has("_RC4_") || has("_DES_") || has("_DES40_") || has("_EXPORT_") || has("_anon_");
    }

    /** Returns whether its cipher has 64-bit blocks, which leak plaintext in large volumes (Sweet32). */
    public boolean hasSmallBlocks() {
        return has("_3DES_") || has("_IDEA_");
    }

    /** Returns whether the suite uses CBC with HMAC: two passes with a history of padding oracles. */
    public boolean isCbc() {
        return has("_CBC_");
    }

    /** Returns whether its key exchange is Diffie-Hellman over a prime. */
    public boolean isDhe() {
        return name().startsWith("TLS_DHE_");
    }

    private boolean has(String part) {
        return name().contains(part);
    }

    /** Returns a suite's name by its number, or the number. */
    public static String nameOf(int number) {
        for (Suite suite : values()) {
            if (suite.number == number) {
                return suite.name();
            }
        }
        return String.format("0x%04X", number);
    }
}
