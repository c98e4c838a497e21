package dev.sluice.transfer.export;

import static dev.sluice.testkit.FuzzProperty.check;
import static dev.sluice.testkit.FuzzProperty.checkInPieces;

import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.FuzzedBatch;
import dev.sluice.transfer.files.FileAttributes;
import dev.sluice.transfer.files.FileOperation;
import dev.sluice.transfer.files.FileProtocol;
import dev.sluice.transfer.files.FrameReader;
import java.util.Arrays;

/**
 * A fuzzer of the frames of a mount: requests, and attributes as answers have them. Their fields are read or refused by
 * a {@link ChannelException}, the same in records of any size, and none reaches beyond its frame.
 *
 * <p>Input: the plaintext of a channel. The corpus was written by hand, by {@link FileOperation}.
 */
public final class FileRequestFuzzer {
    private static final int FRAME_BYTES_MAX = FileProtocol.MAX_DATA_BYTES + FileProtocol.MAX_HEAD_BYTES;

    private FileRequestFuzzer() {}

    /** Runs one input of Jazzer. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        checkInPieces(bytes, FileRequestFuzzer::read);
    }

    private static String read(byte[] bytes, int recordBytes) {
        StringBuilder trace = new StringBuilder();
        try (FuzzedBatch batch = new FuzzedBatch(bytes, recordBytes)) {
            FrameReader in = new FrameReader(batch.incoming());
            while (in.next()) {
                check(in.left() >= 1 && in.left() <= FRAME_BYTES_MAX, "a frame of " + in.left() + " bytes");
                FileOperation operation = FileOperation.of(in.get());
                trace.append(operation).append(' ');
                if (operation != null) {
                    fields(operation, in, trace);
                }
                in.skip();
                check(in.left() == 0, "a frame that is not skipped");
                trace.append('\n');
            }
            return trace.append("end").toString();
        } catch (ChannelException refused) {
            return trace + "refused: " + refused.getMessage();
        }
    }

    private static void fields(FileOperation operation, FrameReader in, StringBuilder trace) throws ChannelException {
        switch (operation) {
            case HELLO, CLOSE -> trace.append(in.getInt());
            case STAT -> trace.append(in.getInt()).append(path(in));
            case OPEN -> trace.append(in.getInt()).append(in.getInt()).append(path(in));
            case READ -> trace.append(in.getInt()).append(in.getLong()).append(in.getInt());
            case WRITE -> trace.append(in.getInt()).append(in.getLong()).append(data(in));
            case SYNC -> trace.append(in.getInt()).append(in.get());
            case CHANGE -> trace.append(Changes.read(in)).append(in.getInt()).append(path(in));
            case LIST -> trace.append(in.getInt()).append(in.getLong());
            case MAKE_DIRECTORY, RENAME -> trace.append(in.getInt()).append(path(in));
            case LINK_SYMBOLICALLY, GET_ATTRIBUTE -> trace.append(path(in)).append(path(in));
            case FIGURES -> trace.append(attributes(in));
            default -> trace.append(in.left() == 0 ? "" : path(in));
        }
    }

    private static String path(FrameReader in) throws ChannelException {
        int before = in.left();
        byte[] path = in.getBytes();
        check(in.left() == before - Short.BYTES - path.length, "a path of another length");
        return Arrays.toString(path);
    }

    private static String data(FrameReader in) throws ChannelException {
        byte[] data = new byte[in.left()];
        in.getData(data, data.length);
        return Arrays.toString(data);
    }

    private static String attributes(FrameReader in) throws ChannelException {
        int before = in.left();
        FileAttributes attributes = new FileAttributes();
        attributes.read(in);
        check(before - in.left() == FileAttributes.BYTES, "attributes of another length");
        return attributes.mode() + " " + attributes.inode() + " " + attributes.size() + " "
                + attributes.ctime().seconds() + " " + attributes.ctime().nanos();
    }
}
