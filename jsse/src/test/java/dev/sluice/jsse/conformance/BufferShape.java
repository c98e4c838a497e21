package dev.sluice.jsse.conformance;

import java.nio.ByteBuffer;

/** The kinds of buffers that an engine has to work with. */
enum BufferShape {
    HEAP,
    DIRECT,
    /** A heap buffer that does not begin where its array does. */
    HEAP_SLICE,
    /** A direct buffer at an odd address. */
    DIRECT_SLICE,
    /** A heap buffer whose position is not its beginning. */
    HEAP_OFFSET,
    /** A direct buffer whose position is not its beginning. */
    DIRECT_OFFSET;

    private static final int PADDING = 24;

    /** Returns an empty buffer with room for some bytes. */
    ByteBuffer room(int bytes) {
        return switch (this) {
            case HEAP -> ByteBuffer.allocate(bytes);
            case DIRECT -> ByteBuffer.allocateDirect(bytes);
            case HEAP_SLICE -> ByteBuffer.allocate(bytes + PADDING).slice(17, bytes);
            case DIRECT_SLICE -> ByteBuffer.allocateDirect(bytes + PADDING).slice(13, bytes);
            case HEAP_OFFSET -> offset(ByteBuffer.allocate(bytes + PADDING), bytes);
            case DIRECT_OFFSET -> offset(ByteBuffer.allocateDirect(bytes + PADDING), bytes);
        };
    }

    private static ByteBuffer offset(ByteBuffer buffer, int bytes) {
        return buffer.position(11).limit(11 + bytes);
    }

    /** Returns a buffer that holds these bytes, to be read. */
    ByteBuffer holding(byte[] bytes) {
        ByteBuffer buffer = room(bytes.length);
        buffer.put(buffer.position(), bytes);
        return buffer;
    }
}
