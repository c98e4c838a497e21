package dev.sluice.interop.peer;

/** The AEAD suites of TLS 1.3 and 1.2 that the gateway serves by default, by IANA's names. */
public enum Suite {
    TLS_AES_128_GCM_SHA256("1.3", "TLS_AES_128_GCM_SHA256"),
    TLS_AES_256_GCM_SHA384("1.3", "TLS_AES_256_GCM_SHA384"),
    TLS_CHACHA20_POLY1305_SHA256("1.3", "TLS_CHACHA20_POLY1305_SHA256"),
    TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256("1.2", "ECDHE-ECDSA-AES128-GCM-SHA256"),
    TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384("1.2", "ECDHE-ECDSA-AES256-GCM-SHA384"),
    TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256("1.2", "ECDHE-ECDSA-CHACHA20-POLY1305"),
    TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256("1.2", "ECDHE-RSA-AES128-GCM-SHA256"),
    TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384("1.2", "ECDHE-RSA-AES256-GCM-SHA384"),
    TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256("1.2", "ECDHE-RSA-CHACHA20-POLY1305");

    private final String version;
    private final String configured;

    Suite(String version, String configured) {
        this.version = version;
        this.configured = configured;
    }

    /** The only version of TLS that has it, {@code "1.2"} or {@code "1.3"}. */
    public String version() {
        return version;
    }

    /** Returns true when its version has key updates. */
    public boolean isTls13() {
        return version.equals("1.3");
    }

    /** Returns the name that every OpenSSL uses, and so the gateway's configuration. */
    public String configured() {
        return configured;
    }
}
