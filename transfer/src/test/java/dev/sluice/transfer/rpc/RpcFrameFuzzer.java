package dev.sluice.transfer.rpc;

import static dev.sluice.testkit.FuzzProperty.check;
import static dev.sluice.testkit.FuzzProperty.checkInPieces;

import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.FuzzedBatch;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A fuzzer of the frames of calls. They are read or refused by an {@link RpcException} or {@link ChannelException}, the
 * same in records of any size, no byte twice and none left out.
 *
 * <p>Input: the plaintext of a channel. The corpus was written by hand, by the diagram of {@link RpcFrameWriter}.
 */
public final class RpcFrameFuzzer {
    private RpcFrameFuzzer() {}

    /** Runs one input of Jazzer. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        checkInPieces(bytes, RpcFrameFuzzer::read);
    }

    private static String read(byte[] bytes, int recordBytes) {
        StringBuilder trace = new StringBuilder();
        try (FuzzedBatch batch = new FuzzedBatch(bytes, recordBytes)) {
            RpcFrameReader reader = new RpcFrameReader(batch.incoming(), () -> {});
            int offset = 0;
            while (reader.next()) {
                check(ByteBuffer.wrap(bytes).getInt(offset) == reader.length(), "a frame of another place");
                check(reader.input().remaining() == reader.length(), "a payload of another length");
                check(reader.detail() >= 0 && reader.method() >= 0 && reader.method() <= 0xFFFF, "fields out of range");
                trace.append(reader.kind())
                        .append(' ')
                        .append(reader.id())
                        .append(' ')
                        .append(reader.method());
                trace.append(' ')
                        .append(reader.detail())
                        .append(' ')
                        .append(reader.length())
                        .append(' ');
                offset += RpcFrameWriter.HEADER_BYTES + reader.length();
                payload(reader, trace);
            }
            check(offset == bytes.length, "an end before the end");
            return trace.append("end").toString();
        } catch (RpcException refused) {
            return trace + "refused: " + refused.failure();
        } catch (ChannelException broken) {
            return trace + "broken: " + broken.getMessage();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void payload(RpcFrameReader reader, StringBuilder trace) throws IOException {
        if (reader.kind() == FrameKind.ERROR) {
            String text = reader.text();
            check(text.codePoints().noneMatch(Character::isISOControl), "a text with control characters");
            trace.append(RpcFailure.of(reader.detail())).append(' ').append(text);
        } else if (reader.length() >= Long.BYTES) {
            trace.append(reader.input().getLong());
        }
        reader.input().skipRest();
        check(reader.input().remaining() == 0, "a payload that is not skipped");
        trace.append('\n');
    }
}
