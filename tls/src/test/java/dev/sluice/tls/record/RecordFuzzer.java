package dev.sluice.tls.record;

import static dev.sluice.testkit.FuzzProperty.check;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.testkit.FuzzInput;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/**
 * A fuzzer that feeds {@link RecordChannel} a stream of genuine records with arbitrary bytes between them, in pieces of
 * any size: the output is the plaintext of the genuine records before the first foreign byte, and nothing after it.
 *
 * <p>Input: the suite and the side, then steps of one octet and its arguments.
 */
public final class RecordFuzzer {
    private static final CipherSuite[] SUITES = {
        CipherSuite.TLS_AES_128_GCM_SHA256,
        CipherSuite.TLS_CHACHA20_POLY1305_SHA256,
        CipherSuite.TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        CipherSuite.TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256
    };
    private static final int MAX_STREAM_BYTES = ChannelPair.ROOM_BYTES / 2 - 1_000;
    private static final int STEPS = 5;

    private final ChannelPair pair;
    private final boolean towardsServer;
    private final ByteArrayOutputStream stream = new ByteArrayOutputStream();
    private final ByteArrayOutputStream expected = new ByteArrayOutputStream();
    private final ByteArrayOutputStream opened = new ByteArrayOutputStream();
    private boolean allGenuine = true;
    private int emptyInARow;

    private RecordFuzzer(ChannelPair pair, boolean towardsServer) {
        this.pair = pair;
        this.towardsServer = towardsServer;
    }

    /** Runs one input of Jazzer. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        FuzzInput input = new FuzzInput(bytes);
        int choice = input.octet();
        try (ChannelPair pair = new ChannelPair(SUITES[choice % SUITES.length])) {
            new RecordFuzzer(pair, (choice & 0x80) == 0).run(input);
        }
    }

    private void run(FuzzInput input) {
        while (input.hasMore() && stream.size() < MAX_STREAM_BYTES) {
            step(input);
        }
        open();
        check(opened.toByteArray().length == expected.size(), "not all plaintext of genuine records came");
        check(Arrays.equals(opened.toByteArray(), expected.toByteArray()), "the plaintext is another");
    }

    private void step(FuzzInput input) {
        int step = input.octet();
        byte[] content = input.take(input.octet());
        switch (step % STEPS) {
            case 0 -> genuine(content);
            case 1 -> forged(content, input.octet(), 1 + input.octet() % 255);
            case 2 -> {
                stream.writeBytes(content);
                allGenuine &= content.length == 0;
            }
            case 3 -> open();
            default -> reflected(content);
        }
    }

    private void genuine(byte[] content) {
        stream.writeBytes(pair.record(towardsServer, ContentType.APPLICATION_DATA, content, 0));
        emptyInARow = content.length == 0 ? emptyInARow + 1 : 0;
        allGenuine &= emptyInARow <= RecordChannel.MAX_EMPTY_RECORDS_IN_A_ROW;
        if (allGenuine) {
            expected.writeBytes(content);
        }
    }

    private void forged(byte[] content, int at, int change) {
        byte[] record = pair.record(towardsServer, ContentType.APPLICATION_DATA, content, 0);
        record[at % record.length] ^= (byte) change;
        allGenuine = false;
        stream.writeBytes(record);
    }

    /** Reflects the receiver's own record after it has arrived. */
    private void reflected(byte[] content) {
        if (content.length == 0 || sender().reason() != null) {
            return;
        }
        genuine(content);
        byte[] reflected = pair.record(!towardsServer, ContentType.APPLICATION_DATA, content, 0);
        RawMemory.copy(reflected, 0, pair.room, reflected.length);
        check(sender().open(pair.room, reflected.length) == reflected.length, "the other direction is broken");
        allGenuine = false;
        stream.writeBytes(reflected);
    }

    /** Opens the received records from the last position. */
    private void open() {
        RecordChannel receiver = towardsServer ? pair.server : pair.client;
        byte[] all = stream.toByteArray();
        stream.reset();
        RawMemory.copy(all, 0, pair.room, all.length);
        int at = 0;
        int result;
        while ((result = receiver.open(pair.room + at, all.length - at)) > 0) {
            check(result <= all.length - at, "a record ends behind what was received");
            take(receiver);
            at += result;
        }
        check(receiver.payloadLength() == 0, "plaintext without a record");
        if (result == RecordChannel.FAILED) {
            checkFailed(receiver);
        } else {
            check(result == RecordChannel.NEED_MORE, "neither side has closed");
            check(isIncomplete(pair.room + at, all.length - at), "nothing is missing");
            stream.write(all, at, all.length - at);
        }
    }

    private static boolean isIncomplete(long record, int available) {
        return available < RecordProtector.HEADER_BYTES || available < RecordAssembly.recordBytes(record);
    }

    private void take(RecordChannel receiver) {
        byte[] payload = new byte[receiver.payloadLength()];
        RawMemory.copy(receiver.payloadAddress(), payload, 0, payload.length);
        opened.writeBytes(payload);
    }

    private void checkFailed(RecordChannel receiver) {
        check(!allGenuine, "a genuine record was refused: " + receiver.reason());
        check(receiver.reason() != null && receiver.alert() > 0, "failed without a reason or an alert");
        check(receiver.open(pair.room, 100) == RecordChannel.FAILED, "opens again after a failure");
        long told = pair.room;
        int bytes = receiver.writeControl(told);
        if (bytes > 0) { // the first time
            check(sender().open(told, bytes) == RecordChannel.FAILED, "the sender is not told");
            check(sender().alert() == receiver.alert(), "the sender got another alert");
        }
    }

    private RecordChannel sender() {
        return towardsServer ? pair.client : pair.server;
    }
}
