package dev.sluice.transfer.move;

import dev.sluice.ffi.libc.IoVec;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.transfer.protocol.Wire;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.concurrent.atomic.AtomicLong;

/** One end of a wire in memory, with small areas of odd sizes, which breaks when a number of bytes has passed. */
final class PipeWire implements Wire {
    /** One direction. */
    private static final class Pipe {
        private final byte[] ring = new byte[192 * 1024];
        private int first;
        private int count;
        private boolean ended;
        private boolean broken;

        synchronized void write(long address, int length) throws IOException {
            int done = 0;
            while (done < length) {
                await(ring.length);
                if (broken || ended) {
                    throw new IOException("pipe broken");
                }
                int at = (first + count) % ring.length;
                int now = Math.min(Math.min(length - done, ring.length - count), ring.length - at);
                RawMemory.copy(address + done, ring, at, now);
                count += now;
                done += now;
                notifyAll();
            }
        }

        private void await(int blockedAt) throws IOException {
            while (count == blockedAt && !broken && !ended) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
        }

        synchronized int read(long address, int most) throws IOException {
            await(0);
            if (broken) {
                throw new IOException("pipe broken");
            }
            int now = Math.min(Math.min(most, count), ring.length - first);
            RawMemory.copy(ring, first, address, now);
            first = (first + now) % ring.length;
            count -= now;
            notifyAll();
            return now;
        }

        synchronized void end() {
            ended = true;
            notifyAll();
        }

        synchronized void breakOff() {
            broken = true;
            notifyAll();
        }
    }

    private static final int AREA_BYTES = 5000;
    private static final int AREAS = 7;
    private static final int PIECE_BYTES = 3001;

    private final Arena arena = Arena.ofShared();
    private final long areas = arena.allocate((long) AREA_BYTES * AREAS, 8).address();
    private final long pieces = arena.allocate(PIECE_BYTES * 4L, 8).address();
    private final long outVector = arena.allocate((long) IoVec.BYTES * AREAS, 8).address();
    private final long inVector = arena.allocate((long) IoVec.BYTES * 4, 8).address();
    private final Pipe out;
    private final Pipe in;
    private final AtomicLong bytesUntilCut;
    private int filled;
    private int outCount;
    private int inCount;
    private int start;
    private int available;
    private boolean closed;

    private PipeWire(Pipe out, Pipe in, AtomicLong bytesUntilCut) {
        this.out = out;
        this.in = in;
        this.bytesUntilCut = bytesUntilCut;
    }

    /** Returns both ends of a wire. */
    static PipeWire[] pair(AtomicLong bytesUntilCut) {
        Pipe there = new Pipe();
        Pipe back = new Pipe();
        return new PipeWire[] {new PipeWire(there, back, bytesUntilCut), new PipeWire(back, there, bytesUntilCut)};
    }

    static PipeWire[] pair() {
        return pair(new AtomicLong(Long.MAX_VALUE));
    }

    @Override
    public int gather(int bytes) throws IOException {
        if (filled == AREA_BYTES * AREAS) {
            flush();
        }
        int wanted = Math.min(bytes, AREA_BYTES * AREAS - filled);
        outCount = 0;
        for (int done = 0; done < wanted; ) {
            int at = filled + done;
            int now = Math.min(wanted - done, AREA_BYTES - at % AREA_BYTES);
            IoVec.write(outVector, outCount, areas + at, now);
            outCount++;
            done += now;
        }
        return wanted;
    }

    @Override
    public long areas() {
        return outVector;
    }

    @Override
    public int areaCount() {
        return outCount;
    }

    @Override
    public void filled(int bytes) {
        filled += bytes;
    }

    @Override
    public void separate() {
        // The pieces of this wire have nothing to do with what was filled at once.
    }

    @Override
    public void flush() throws IOException {
        int sending = filled;
        filled = 0;
        long left = bytesUntilCut.addAndGet(-sending);
        out.write(areas, (int) Math.max(0, Math.min(sending, sending + left)));
        if (left < 0) {
            abort();
            throw new IOException("cut");
        }
        // What was sent is ciphertext afterwards.
        RawMemory.zero(areas, (long) AREA_BYTES * AREAS);
    }

    @Override
    public boolean hasPieces() {
        return available > 0;
    }

    @Override
    public int scatter(int bytes) throws IOException {
        if (available == 0) {
            start = 0;
            available = in.read(pieces, PIECE_BYTES * 4);
        }
        int wanted = Math.min(bytes, available);
        inCount = 0;
        for (int done = 0; done < wanted; ) {
            int at = start + done;
            int now = Math.min(wanted - done, PIECE_BYTES - at % PIECE_BYTES);
            IoVec.write(inVector, inCount, pieces + at, now);
            inCount++;
            done += now;
        }
        return wanted;
    }

    @Override
    public long pieces() {
        return inVector;
    }

    @Override
    public int pieceCount() {
        return inCount;
    }

    @Override
    public void taken(int bytes) {
        start += bytes;
        available -= bytes;
    }

    @Override
    public void finish() throws IOException {
        flush();
        out.end();
    }

    @Override
    public void abort() {
        out.breakOff();
        in.breakOff();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            in.breakOff();
            arena.close();
        }
    }
}
