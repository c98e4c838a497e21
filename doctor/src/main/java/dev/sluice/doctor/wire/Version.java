package dev.sluice.doctor.wire;

/** The protocol versions that a server may support, oldest first. */
public enum Version {
    /** RFC 6101; broken (RFC 7568). */
    SSL_3(0x0300, "SSL 3.0"),
    /** RFC 2246; deprecated (RFC 8996). */
    TLS_1_0(0x0301, "TLS 1.0"),
    /** RFC 4346; deprecated (RFC 8996). */
    TLS_1_1(0x0302, "TLS 1.1"),
    /** RFC 5246. */
    TLS_1_2(0x0303, "TLS 1.2"),
    /** RFC 8446. */
    TLS_1_3(0x0304, "TLS 1.3");

    private final int number;
    private final String text;

    Version(int number, String text) {
        this.number = number;
        this.text = text;
    }

    /** Returns the number in messages. */
    public int number() {
        return number;
    }

    /** Returns the name for display. */
    public String text() {
        return text;
    }
}
