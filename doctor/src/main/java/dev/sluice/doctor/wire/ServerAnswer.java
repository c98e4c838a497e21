package dev.sluice.doctor.wire;

/** The answers to a {@link ClientHello}. */
public sealed interface ServerAnswer {
    /**
     * The server continues.
     *
     * @param hello its choice
     * @param dhBits bits of its Diffie-Hellman prime; 0 if none was sent or requested
     * @param group number of its curve, if the key exchange of TLS 1.2 or the hello names one; else 0
     */
    record Chosen(ServerHello hello, int dhBits, int group) implements ServerAnswer {}

    /**
     * The server refuses with an alert.
     *
     * @param alert the alert's number
     */
    record Refused(int alert) implements ServerAnswer {}

    /** The server ends the connection without an answer. */
    record Closed() implements ServerAnswer {}

    /**
     * The server sends something other than TLS.
     *
     * @param what the data found instead
     */
    record NotTls(String what) implements ServerAnswer {}
}
