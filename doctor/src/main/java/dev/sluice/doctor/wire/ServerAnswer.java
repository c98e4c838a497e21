package dev.sluice.doctor.wire;

/** What a server says to a {@link ClientHello}. */
public sealed interface ServerAnswer {
    /**
     * It goes on.
     *
     * @param hello its choice
     * @param dhBits bits of its Diffie-Hellman prime; 0 where none was sent or looked for
     * @param group number of its curve, where the key exchange of TLS 1.2 names one or the hello does; else 0
     */
    record Chosen(ServerHello hello, int dhBits, int group) implements ServerAnswer {}

    /**
     * It refuses, by an alert.
     *
     * @param alert the alert's number
     */
    record Refused(int alert) implements ServerAnswer {}

    /** It ends the connection without a word. */
    record Closed() implements ServerAnswer {}

    /**
     * It sends what is not TLS.
     *
     * @param what what was found in place of it
     */
    record NotTls(String what) implements ServerAnswer {}
}
