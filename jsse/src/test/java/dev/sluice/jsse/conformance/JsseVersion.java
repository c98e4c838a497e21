package dev.sluice.jsse.conformance;

/** The protocol versions that both providers have. */
enum JsseVersion {
    TLS_12("TLSv1.2"),
    TLS_13("TLSv1.3");

    private final String protocol;

    JsseVersion(String protocol) {
        this.protocol = protocol;
    }

    /** Returns the name that JSSE gives it. */
    String protocol() {
        return protocol;
    }

    @Override
    public String toString() {
        return protocol;
    }
}
