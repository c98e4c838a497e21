package dev.sluice.doctor.wire;

import static dev.sluice.testkit.FuzzProperty.check;

import java.io.ByteArrayInputStream;
import java.io.IOException;

/**
 * A fuzzer of a server's answer to the doctor. It is one of the kinds of {@link ServerAnswer}, however long it is, and
 * what is shown of it has no control characters.
 *
 * <p>Input: the received bytes. The corpus is from {@code openssl s_server} and nginx, and changed by hand.
 */
public final class ServerAnswerFuzzer {
    private ServerAnswerFuzzer() {}

    /** Runs one input of Jazzer. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        ServerAnswer hello = read(bytes, false);
        ServerAnswer exchange = read(bytes, true);
        if (exchange instanceof ServerAnswer.Chosen whole && hello instanceof ServerAnswer.Chosen first) {
            check(whole.hello().equals(first.hello()), "another ServerHello with the key exchange");
            check(first.dhBits() == 0, "a prime that was not asked for");
        }
        check(!(hello instanceof ServerAnswer.Refused) || hello.equals(exchange), "refused, and chosen");
    }

    private static ServerAnswer read(byte[] bytes, boolean wantsKeyExchange) {
        ByteArrayInputStream input = new ByteArrayInputStream(bytes);
        try {
            ServerAnswer answer = new AnswerReader(input, wantsKeyExchange).read();
            check(bytes.length - input.available() <= AnswerReader.MAX_BYTES + 5, "read more than the limit");
            if (answer instanceof ServerAnswer.NotTls other) {
                check(other.what().chars().noneMatch(Character::isISOControl), "control characters: " + other);
            }
            return answer;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
