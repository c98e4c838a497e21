package dev.sluice.gateway.restart;

import static dev.sluice.testkit.FuzzProperty.check;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * A fuzzer of the messages with which a running gateway passes its listening sockets on. One is read without a lookup
 * of names, or refused by an {@link IOException}, and is the same when it is written and read again.
 *
 * <p>Input: the text of a message. The corpus was written by hand, in the form of {@link PassedSockets}.
 */
public final class PassedAddressFuzzer {
    private PassedAddressFuzzer() {}

    /** Runs one input of Jazzer. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        PassedSockets.Address address;
        try {
            address = PassedSockets.Address.of(new String(bytes, StandardCharsets.UTF_8));
        } catch (IOException refused) {
            check(String.valueOf(refused.getMessage()).lines().count() == 1, "a message of several lines");
            return;
        }
        check(!address.configured().isUnresolved() && !address.bound().isUnresolved(), "a name");
        try {
            PassedSockets.Address again = PassedSockets.Address.of(address.text());
            check(again.equals(address), "another address when written: " + address + ", " + again);
        } catch (IOException e) {
            throw new AssertionError("what was written is refused: " + address, e);
        }
    }
}
