package dev.sluice.tls.engine;

/**
 * A fuzzer of ClientHellos for the whole lean handshake: see {@link HelloOracle}.
 *
 * <p>Input: the received bytes.
 */
public final class HelloAnswerFuzzer {
    /** Ends with the process: Jazzer announces no last input. */
    private static final HelloOracle ORACLE = new HelloOracle();

    private HelloAnswerFuzzer() {}

    /** Runs one input of Jazzer. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        ORACLE.answersAlike(bytes);
    }
}
