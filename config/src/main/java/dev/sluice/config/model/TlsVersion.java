package dev.sluice.config.model;

/** The TLS versions that can be the oldest accepted. Older ones are broken, and not supported. */
public enum TlsVersion {
    /** TLS 1.2, RFC 5246. */
    TLS_1_2("1.2"),
    /** TLS 1.3, RFC 8446. */
    TLS_1_3("1.3");

    private final String text;

    TlsVersion(String text) {
        this.text = text;
    }

    /** Returns the spelling of the configuration. */
    public String text() {
        return text;
    }
}
