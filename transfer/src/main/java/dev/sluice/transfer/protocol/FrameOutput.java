package dev.sluice.transfer.protocol;

import dev.sluice.ffi.libc.IoVec;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.transfer.tree.Entry;
import dev.sluice.transfer.tree.FieldWriter;
import dev.sluice.transfer.tree.TransferFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A writer of frames to a wire. Small payloads are built here and copied; DATA is filled in place by its caller. */
public final class FrameOutput {
    /** The flag of the last page of a manifest. */
    static final int LAST_FLAG = 1;
    /** The flag of DATA whose contents are compressed. */
    static final int COMPRESSED_FLAG = 2;

    private final Wire wire;
    private final FieldWriter header = new FieldWriter(ProtocolLimits.HEADER_BYTES);
    private final FieldWriter payload = new FieldWriter(ProtocolLimits.PAYLOAD_BYTES_MAX);
    /** A frame has begun, and its end is not written. */
    private boolean underWay;

    /** Creates an output for the thread that sends. */
    public FrameOutput(Wire wire) {
        this.wire = wire;
    }

    /** Sends all frames written. */
    public void flush() throws IOException {
        wire.flush();
    }

    /** Writes HELLO. */
    public void hello(Hello hello) throws IOException {
        hello.write(payload());
        frame(FrameType.HELLO, 0);
    }

    /** Writes START. */
    public void start(Start start) throws IOException {
        start.write(payload());
        frame(FrameType.START, 0);
    }

    /** Writes LIST. */
    public void list() throws IOException {
        payload();
        frame(FrameType.LIST, 0);
    }

    /**
     * Writes ENTRIES.
     *
     * @param page encoded entries
     */
    public void entries(FieldWriter page, boolean last) throws IOException {
        writeHeader(FrameType.ENTRIES, last ? LAST_FLAG : 0, page.position());
        writeRest(page.array(), page.position());
    }

    /**
     * Writes READ, HASHES or EXTENTS.
     *
     * @param path empty for the path of the request before
     */
    public void request(FrameType type, byte[] path, Entry entry, long offset, int length) throws IOException {
        FileRequest.write(payload(), path, entry, offset, length);
        frame(type, 0);
    }

    /** Returns the bytes of the frame of a request. */
    public static int requestBytes(byte[] path) {
        return ProtocolLimits.HEADER_BYTES + FileRequest.FIXED_BYTES + path.length;
    }

    /**
     * Writes the header of DATA; contents and trailer follow.
     *
     * @param length of the contents in bytes
     */
    public void data(int length, boolean checksums) throws IOException {
        writeHeader(FrameType.DATA, 0, length + trailerBytes(checksums));
    }

    /**
     * Writes the header of DATA with compressed contents; they and the trailer follow.
     *
     * @param length of the compressed contents in bytes
     */
    public void compressedData(int length, boolean checksums) throws IOException {
        writeHeader(FrameType.DATA, COMPRESSED_FLAG, length + trailerBytes(checksums));
    }

    /** Returns the bytes of the trailer of DATA. */
    public static int trailerBytes(boolean checksums) {
        return ProtocolLimits.TRAILER_BYTES + (checksums ? ProtocolLimits.CHECKSUM_BYTES : 0);
    }

    /** Writes the trailer of DATA; {@code checksum} is empty without checksums. */
    public void trailer(TransferFailure status, byte[] checksum) throws IOException {
        payload().putByte(status.code()).put(checksum);
        writeRest(payload.array(), payload.position());
    }

    /** Writes HASHED. */
    public void hashed(byte[] hashes, int length, TransferFailure status) throws IOException {
        payload().putByte(status.code());
        writeHeader(FrameType.HASHED, 0, length + 1);
        write(payload.array(), 1);
        writeRest(hashes, length);
    }

    /** Returns the empty payload of EXTENT_LIST: pairs of first and end offset are appended. */
    public FieldWriter extents() {
        return payload();
    }

    /**
     * Writes EXTENT_LIST.
     *
     * @param last true when no data follows the last extent
     */
    public void extentList(boolean last) throws IOException {
        frame(FrameType.EXTENT_LIST, last ? LAST_FLAG : 0);
    }

    /** Writes FAILED. */
    public void failed(TransferFailure failure) throws IOException {
        payload().putByte(failure.code());
        frame(FrameType.FAILED, 0);
    }

    /** Writes DONE. */
    public void done(TransferSummary summary) throws IOException {
        summary.write(payload());
        frame(FrameType.DONE, 0);
    }

    /**
     * Ends the stream by ERROR, or at once within a frame, whose contents the peer would take ERROR for.
     *
     * @param text for people; null for none
     */
    public void fail(TransferFailure failure, @Nullable String text) throws IOException {
        if (underWay) {
            wire.abort();
        } else {
            error(failure, text == null ? "" : text);
            wire.finish();
        }
    }

    private void error(TransferFailure failure, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        bytes = bytes.length > ProtocolLimits.TEXT_BYTES_MAX
                ? Arrays.copyOf(bytes, ProtocolLimits.TEXT_BYTES_MAX)
                : bytes;
        payload().putByte(failure.code()).putString(bytes);
        frame(FrameType.ERROR, 0);
    }

    /** Writes PING. */
    public void ping() throws IOException {
        payload();
        frame(FrameType.PING, 0);
    }

    private FieldWriter payload() {
        payload.truncate(0);
        return payload;
    }

    private void frame(FrameType type, int flags) throws IOException {
        writeHeader(type, flags, payload.position());
        writeRest(payload.array(), payload.position());
    }

    private void writeHeader(FrameType type, int flags, int length) throws IOException {
        underWay = true;
        header.truncate(0);
        header.putByte(type.code()).putByte(flags).putShort(0).putInt(length);
        write(header.array(), ProtocolLimits.HEADER_BYTES);
    }

    /** Writes what ends a frame. */
    private void writeRest(byte[] bytes, int length) throws IOException {
        write(bytes, length);
        underWay = false;
    }

    private void write(byte[] bytes, int length) throws IOException {
        int done = 0;
        while (done < length) {
            int room = wire.gather(length - done);
            for (int i = 0; i < wire.areaCount(); i++) {
                int now = (int) IoVec.length(wire.areas(), i);
                RawMemory.copy(bytes, done, IoVec.base(wire.areas(), i), now);
                done += now;
            }
            wire.filled(room);
        }
    }
}
