package dev.sluice.simulator;

import dev.sluice.ffi.libc.RawMemory;

/**
 * One direction of a stream: the bytes sent, the bytes that have arrived, and its end.
 *
 * <pre>
 *   read | arrived ...... | under way ...... | room ......
 * </pre>
 */
final class Pipe {
    private final byte[] ring;
    private int head;
    private int used;
    private int arrived;
    private boolean ended;
    private boolean endArrived;

    Pipe(int capacity) {
        this.ring = new byte[capacity];
    }

    int capacity() {
        return ring.length;
    }

    /** Returns the number of readable bytes. */
    int available() {
        return arrived;
    }

    /** Returns the number of bytes that can be sent. */
    int room() {
        return ring.length - used;
    }

    /** Ends the stream: the sender sends no more. */
    void end() {
        ended = true;
    }

    boolean isEnded() {
        return ended;
    }

    /** Returns whether everything was read and the end has arrived. */
    boolean isAtEnd() {
        return endArrived && used == 0;
    }

    boolean hasEndArrived() {
        return endArrived;
    }

    /** Returns whether anything is in transit. */
    boolean isMoving() {
        return arrived < used || (ended && !endArrived);
    }

    /** Delivers some of the bytes in transit. */
    void arrive(Chance chance) {
        if (arrived < used) {
            int underWay = used - arrived;
            arrived += chance.oneIn(2) ? underWay : chance.between(1, underWay);
        }
        if (arrived == used && ended && chance.oneIn(2)) {
            endArrived = true;
        }
    }

    /** Drops the bytes in transit, as when a reset overtakes them. */
    void dropUnderWay() {
        used = arrived;
    }

    void write(long from, int count) {
        for (int done = 0; done < count; ) {
            int place = (head + used) % ring.length;
            int piece = Math.min(count - done, ring.length - place);
            RawMemory.copy(from + done, ring, place, piece);
            used += piece;
            done += piece;
        }
    }

    void write(byte[] from, int offset, int count) {
        for (int done = 0; done < count; ) {
            int place = (head + used) % ring.length;
            int piece = Math.min(count - done, ring.length - place);
            System.arraycopy(from, offset + done, ring, place, piece);
            used += piece;
            done += piece;
        }
    }

    void read(long to, int count) {
        for (int done = 0; done < count; ) {
            int piece = Math.min(count - done, ring.length - head);
            RawMemory.copy(ring, head, to + done, piece);
            taken(piece);
            done += piece;
        }
    }

    void read(byte[] to, int offset, int count) {
        for (int done = 0; done < count; ) {
            int piece = Math.min(count - done, ring.length - head);
            System.arraycopy(ring, head, to, offset + done, piece);
            taken(piece);
            done += piece;
        }
    }

    private void taken(int count) {
        head = (head + count) % ring.length;
        used -= count;
        arrived -= count;
    }
}
