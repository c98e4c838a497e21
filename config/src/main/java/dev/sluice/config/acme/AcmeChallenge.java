package dev.sluice.config.acme;

/** The way in which an ACME server checks that a name is ours. */
public enum AcmeChallenge {
    /** A handshake with the protocol {@code acme-tls/1} on port 443, RFC 8737. */
    TLS_ALPN_01("tls-alpn-01"),
    /** A request of plain HTTP on port 80, RFC 8555 section 8.3. */
    HTTP_01("http-01"),
    /** A TXT record, RFC 8555 section 8.4. */
    DNS_01("dns-01");

    private final String type;

    AcmeChallenge(String type) {
        this.type = type;
    }

    /** Returns the type as ACME and the configuration spell it. */
    public String type() {
        return type;
    }
}
