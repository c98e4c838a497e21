package dev.sluice.transfer.meet;

import static dev.sluice.testkit.FuzzProperty.check;

import dev.sluice.testkit.FuzzInput;
import dev.sluice.tls.failure.TlsConfigurationException;
import dev.sluice.transfer.identity.AllowedKeys;
import dev.sluice.transfer.identity.KeyFingerprint;
import dev.sluice.transfer.pairing.PairingCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A fuzzer of what peers, relays and people say before there is a channel: requests to a relay, its answers, datagrams
 * of discovery, pairing codes, and files of keys. Each is read or refused, and is the same when it is written again.
 *
 * <p>Input: an octet that chooses the reader, then the bytes. The corpus was written by hand, by the diagrams of the
 * classes.
 */
public final class MeetMessageFuzzer {
    private static final int READERS = 5;

    private MeetMessageFuzzer() {}

    /** Runs one input of Jazzer. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        FuzzInput input = new FuzzInput(bytes);
        int reader = input.octet() % READERS;
        byte[] content = input.rest();
        switch (reader) {
            case 0 -> request(Arrays.copyOf(content, RelayRequest.BYTES));
            case 1 -> datagram(content);
            case 2 -> answer(content);
            case 3 -> code(new String(content, StandardCharsets.UTF_8));
            default -> keys(new String(content, StandardCharsets.UTF_8));
        }
    }

    private static void request(byte[] content) {
        RelayRequest request = RelayRequest.decode(content);
        check(request == null || Arrays.equals(request.encode(), content), "another request when written");
    }

    private static void datagram(byte[] content) {
        LanDatagram datagram = LanDatagram.decode(ByteBuffer.wrap(content));
        if (datagram != null) {
            RendezvousId id = RendezvousId.ofSlot(7);
            check(Arrays.equals(datagram.encode(), content), "another datagram when written");
            check(datagram.port() >= 0 && datagram.port() <= 0xFFFF, "a port out of range");
            check(!datagram.asksFor(id) || datagram.port() == 0, "a query with a port");
            check(!datagram.answers(LanDatagram.query(id), id), "an answer to another query");
        }
    }

    private static void answer(byte[] content) {
        for (byte each : content) {
            RelayAnswer answer = RelayAnswer.of(each);
            check(answer == null || answer.code() == each, "another answer");
        }
    }

    private static void code(String text) {
        try {
            PairingCode code = PairingCode.parse(text);
            check(code.slot() >= 0 && code.slot() <= PairingCode.MAX_SLOT, "a slot out of range");
            check(PairingCode.parse(code.toString()).toString().equals(code.toString()), "another code when written");
        } catch (IllegalArgumentException mistyped) {
            check(!String.valueOf(mistyped.getMessage()).isEmpty(), "no reason");
        }
    }

    private static void keys(String text) {
        try {
            AllowedKeys keys = AllowedKeys.parse("file", text.lines().toList());
            for (KeyFingerprint key : keys.keys()) {
                check(keys.contains(KeyFingerprint.parse(key.toString())), "another key when written");
            }
        } catch (TlsConfigurationException refused) {
            check(String.valueOf(refused.getMessage()).startsWith("file:"), "no line");
        }
    }
}
