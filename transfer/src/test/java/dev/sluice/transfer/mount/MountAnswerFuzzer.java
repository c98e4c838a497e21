package dev.sluice.transfer.mount;

import static dev.sluice.testkit.FuzzProperty.check;
import static dev.sluice.testkit.FuzzProperty.checkInPieces;

import dev.sluice.ffi.fuse.FuseAnswers;
import dev.sluice.testkit.FuzzInput;
import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.FuzzedBatch;
import dev.sluice.transfer.files.FrameReader;
import dev.sluice.transfer.files.ProcessOwner;
import dev.sluice.transfer.mount.Call.Kind;
import dev.sluice.transfer.mount.FuseReplies.PeerOwner;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * A fuzzer of what a peer answers to a mount: requests of the kernel are in flight, and the peer's frames complete them
 * or are refused by a {@link ChannelException}. Each request is answered once, by a well-formed answer, the same in
 * records of any size; what is in flight when the channel ends fails.
 *
 * <p>Input: the number of requests, an octet for the kind of each, then the plaintext of a channel.
 */
public final class MountAnswerFuzzer {
    private static final int REQUESTS_MAX = 16;
    private static final int ERRNO_MAX = 4095;
    private static final Kind[] KINDS = Kind.values();
    private static final MountSettings SETTINGS = new MountSettings(
            MountSettings.Access.READ_WRITE,
            MountSettings.Audience.OWNER,
            Duration.ofSeconds(1),
            Duration.ofSeconds(30),
            4L << 20,
            0,
            1L << 20);
    private static final PeerOwner OWNER = new PeerOwner(new ProcessOwner(1, 2), new ProcessOwner(3, 4));

    private MountAnswerFuzzer() {}

    /** Runs one input of Jazzer. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        checkInPieces(bytes, MountAnswerFuzzer::answers);
    }

    private static String answers(byte[] bytes, int recordBytes) {
        FuzzInput input = new FuzzInput(bytes);
        try (MountState state = new MountState(SETTINGS);
                AnswerFile device = AnswerFile.open();
                FuseReplies replies = new FuseReplies(device.descriptor(), OWNER, SETTINGS.attributeTime())) {
            Requests requests = new Requests(state);
            for (int i = input.octet() % (REQUESTS_MAX + 1); i > 0; i--) {
                requests.add(KINDS[input.octet() % KINDS.length], input.octet());
            }
            String end = receive(state, replies, input.rest(), recordBytes);
            check(!state.lock.isLocked(), "the lock is held");
            state.lock.lock();
            try {
                state.peerGone(replies);
            } finally {
                state.lock.unlock();
            }
            check(state.calls.isEmpty() && state.waiting.isEmpty(), "something is in flight");
            Map<Long, Integer> answered = new TreeMap<>();
            String trace = trace(device.content(), answered);
            check(answered.equals(requests.expected()), "answered " + answered + " of " + requests.expected());
            return trace + end;
        }
    }

    private static String receive(MountState state, FuseReplies replies, byte[] bytes, int recordBytes) {
        try (FuzzedBatch batch = new FuzzedBatch(bytes, recordBytes)) {
            new AnswerHandler(state, new FrameReader(batch.incoming()), replies).run();
            return "end";
        } catch (ChannelException refused) {
            return "refused: " + refused.getMessage();
        }
    }

    /** Reads answers to the kernel as it does: each has a length, an error or none, and the number of a request. */
    private static String trace(byte[] content, Map<Long, Integer> answered) {
        StringBuilder trace = new StringBuilder();
        ByteBuffer all = ByteBuffer.wrap(content).order(ByteOrder.nativeOrder());
        while (all.hasRemaining()) {
            int at = all.position();
            int bytes = all.getInt(at + FuseAnswers.HEADER_LEN_OFFSET);
            int error = all.getInt(at + FuseAnswers.HEADER_ERROR_OFFSET);
            long unique = all.getLong(at + FuseAnswers.HEADER_UNIQUE_OFFSET);
            check(bytes >= FuseAnswers.HEADER_BYTES && bytes <= all.remaining(), "an answer of " + bytes + " bytes");
            if (unique == 0) {
                check(error > 0, "a notification without a code");
            } else {
                check(error <= 0 && error >= -ERRNO_MAX, "an error of " + error);
                check(error == 0 || bytes == FuseAnswers.HEADER_BYTES, "an error with a body");
                answered.merge(unique, 1, Integer::sum);
            }
            trace.append(unique)
                    .append(' ')
                    .append(error)
                    .append(' ')
                    .append(bytes)
                    .append('\n');
            all.position(at + bytes);
        }
        return trace.toString();
    }
}
