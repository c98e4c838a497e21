package dev.sluice.bench.calls;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.rpc.RpcInput;
import dev.sluice.transfer.rpc.RpcOutput;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;

/** The contents of every request and response, as many bytes of it as they have: memory of the program. */
final class Payload {
    private static final int SEED = 17;

    private final MemorySegment bytes;

    private Payload(int length) {
        bytes = Arena.global().allocate(length, Long.BYTES);
        SplittableRandom random = new SplittableRandom(SEED);
        for (long i = 0; i < length; i++) {
            bytes.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt());
        }
    }

    /** Creates the contents, which both sides know, for the lifetime of the process. */
    static Payload of(CallShape shape) {
        return new Payload(Math.max(shape.requestBytes(), shape.responseBytes()));
    }

    /** Returns the contents. */
    MemorySegment bytes() {
        return bytes;
    }

    /**
     * Compares received bytes.
     *
     * @param position their place in the request or response
     * @throws BenchException when one differs
     */
    void check(MemorySegment memory, long offset, long length, long position) {
        if (MemorySegment.mismatch(memory, offset, offset + length, bytes, position, position + length) >= 0) {
            throw new BenchException("received other bytes than were sent, position=" + position);
        }
    }

    /** Receives a request or response and compares it where it was opened. */
    void check(RpcInput in) throws ChannelException {
        int position = 0;
        while (in.remaining() > 0) {
            int piece = in.contiguous();
            check(in.memory(), in.offset(), piece, position);
            in.taken(piece);
            position += piece;
        }
    }

    /** Copies a request or response into its records. */
    void write(RpcOutput out) throws ChannelException {
        out.put(bytes, 0, out.remaining());
    }
}
