package dev.sluice.gateway.config;

/** Protocol versions that may be asked for as the least. Older ones are broken and not offered. */
public enum TlsVersion {
    /** RFC 5246. */
    TLS_1_2("1.2"),
    /** RFC 8446. */
    TLS_1_3("1.3");

    private final String text;

    TlsVersion(String text) {
        this.text = text;
    }

    /** As the configuration writes it. */
    public String text() {
        return text;
    }
}
