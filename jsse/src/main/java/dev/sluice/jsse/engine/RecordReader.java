package dev.sluice.jsse.engine;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.tls.engine.DirectRecords;
import dev.sluice.tls.engine.EngineStatus;
import dev.sluice.tls.engine.HandshakeEngine;
import dev.sluice.tls.record.RecordChannel;
import dev.sluice.tls.record.RecordProtector;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/**
 * The way of received records into the caller's buffers.
 *
 * <p>A record is opened from a direct source into a direct destination without a copy, and the source is only read. A
 * source on the heap is copied to {@link Scratch} memory first, and a payload for the heap, or for several buffers,
 * from there; so are source and destination in the same memory. Allocates nothing.
 */
final class RecordReader {
    private RecordReader() {}

    /**
     * Opens one whole record, whose payload and padding the destinations have room for; the source's position moves.
     *
     * @return the bytes of application data delivered, or {@link RecordChannel#CLOSED} or {@link RecordChannel#FAILED}
     */
    static int open(
            DirectRecords records, ByteBuffer src, int record, int inner, ByteBuffer[] dsts, int offset, int length) {
        int first = firstWithRoom(dsts, offset, length);
        boolean straight = first >= 0 && dsts[first].isDirect() && dsts[first].remaining() >= inner;
        if (straight && src.isDirect() && !CallerBuffers.overlap(src, record, dsts[first], inner)) {
            return openStraight(records, CallerBuffers.address(src), src, record, dsts[first]);
        }
        Scratch scratch = Scratch.lease();
        try {
            return straight && !src.isDirect()
                    ? openFromHeap(records, src, record, dsts[first], scratch)
                    : openToScratch(records, src, record, dsts, offset, length, scratch);
        } finally {
            scratch.release();
        }
    }

    private static int firstWithRoom(ByteBuffer[] dsts, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            if (dsts[i].hasRemaining()) {
                return i;
            }
        }
        return -1;
    }

    private static int openStraight(DirectRecords records, long from, ByteBuffer src, int record, ByteBuffer dst) {
        try {
            int opened = records.openInto(from, record, CallerBuffers.address(dst));
            src.position(src.position() + record);
            return delivered(records, opened, dst);
        } finally {
            Reference.reachabilityFence(src);
            Reference.reachabilityFence(dst);
        }
    }

    private static int openFromHeap(
            DirectRecords records, ByteBuffer src, int record, ByteBuffer dst, Scratch scratch) {
        CallerBuffers.take(src, scratch.address(), record);
        try {
            int opened = records.openInto(scratch.address(), record, CallerBuffers.address(dst));
            return delivered(records, opened, dst);
        } finally {
            Reference.reachabilityFence(dst);
        }
    }

    private static int delivered(DirectRecords records, int opened, ByteBuffer dst) {
        if (opened < 0) {
            return opened;
        }
        int payload = records.channel().payloadLength();
        dst.position(dst.position() + payload);
        return payload;
    }

    private static int openToScratch(
            DirectRecords records,
            ByteBuffer src,
            int record,
            ByteBuffer[] dsts,
            int offset,
            int length,
            Scratch scratch) {
        CallerBuffers.take(src, scratch.address(), record);
        int opened = records.open(scratch.address(), record);
        if (opened < 0) {
            return opened;
        }
        int payload = records.channel().payloadLength();
        if (payload > 0) {
            long at = records.channel().payloadAddress();
            CallerBuffers.scatter(at, payload, dsts, offset, length);
            RawMemory.zero(at, payload);
        }
        return payload;
    }

    /** Has the record layer judge a header, and write the alert if it is illegal; the source's position moves. */
    static int openHeader(DirectRecords records, ByteBuffer src) {
        Scratch scratch = Scratch.lease();
        try {
            CallerBuffers.take(src, scratch.address(), RecordProtector.HEADER_BYTES);
            return records.open(scratch.address(), RecordProtector.HEADER_BYTES);
        } finally {
            scratch.release();
        }
    }

    /**
     * Passes one whole record to libssl, whose ring is empty; the source's position moves.
     *
     * @return false when the ring has no room for it
     */
    static boolean feed(HandshakeEngine libssl, ByteBuffer src, int record) {
        int left = record;
        while (left > 0) {
            int part = Math.min(left, libssl.receiveCapacity());
            if (part == 0) {
                return false;
            }
            long to = libssl.receiveAddress();
            CallerBuffers.take(src, to, part);
            libssl.received(part);
            left -= part;
        }
        return true;
    }

    /** Reads what the last record has carried; returns the bytes delivered, or a status of {@link EngineStatus}. */
    static int readThroughLibssl(HandshakeEngine libssl, ByteBuffer[] dsts, int offset, int length) {
        Scratch scratch = Scratch.lease();
        try {
            int read = libssl.read(scratch.address(), Scratch.BYTES);
            if (read > 0) {
                CallerBuffers.scatter(scratch.address(), read, dsts, offset, length);
                RawMemory.zero(scratch.address(), read);
            }
            return read;
        } finally {
            scratch.release();
        }
    }
}
