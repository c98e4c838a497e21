package dev.sluice.jsse.engine;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.tls.engine.DirectRecords;
import dev.sluice.tls.engine.HandshakeEngine;
import dev.sluice.tls.record.RecordAssembly;
import dev.sluice.tls.record.RecordChannel;
import dev.sluice.tls.record.RecordProtector;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/**
 * The way of application data and handshake messages into the caller's buffer.
 *
 * <p>A record is sealed in place in a direct destination, after one copy of the payload to it; the source is only read,
 * since neither it nor what lies behind it is ours. For a destination on the heap, the record is sealed in {@link
 * Scratch} memory, and copied once more. Allocates nothing.
 */
final class RecordWriter {
    private RecordWriter() {}

    /** Returns the bytes of a record that carries a payload. */
    static int recordBytes(RecordChannel channel, int payload) {
        return channel.headroom() + payload + channel.tailroom();
    }

    /** Seals one record; the destination has room for it. Returns its size. */
    static int seal(DirectRecords records, ByteBuffer[] srcs, int offset, int length, int payload, ByteBuffer dst) {
        return dst.isDirect()
                ? sealInPlace(records, srcs, offset, length, payload, dst)
                : sealInScratch(records, srcs, offset, length, payload, dst);
    }

    private static int sealInPlace(
            DirectRecords records, ByteBuffer[] srcs, int offset, int length, int payload, ByteBuffer dst) {
        try {
            int headroom = records.channel().headroom();
            long text = CallerBuffers.address(dst) + headroom;
            CallerBuffers.gather(srcs, offset, length, dst, dst.position() + headroom, payload);
            int sealed = records.seal(text, payload);
            dst.position(dst.position() + sealed);
            return sealed;
        } finally {
            Reference.reachabilityFence(dst);
        }
    }

    private static int sealInScratch(
            DirectRecords records, ByteBuffer[] srcs, int offset, int length, int payload, ByteBuffer dst) {
        Scratch scratch = Scratch.lease();
        try {
            long text = scratch.address() + records.channel().headroom();
            CallerBuffers.gather(srcs, offset, length, text, payload);
            int sealed = records.seal(text, payload);
            CallerBuffers.put(scratch.address(), sealed, dst);
            return sealed;
        } finally {
            scratch.release();
        }
    }

    /** Writes the waiting control records; the destination has room for {@link RecordChannel#MAX_CONTROL_BYTES}. */
    static int writeControl(DirectRecords records, ByteBuffer dst) {
        Scratch scratch = Scratch.lease();
        try {
            int written = records.writeControl(scratch.address());
            CallerBuffers.put(scratch.address(), written, dst);
            return written;
        } finally {
            scratch.release();
        }
    }

    /** Encrypts one record in libssl, into its ring; returns the bytes accepted, or a status. */
    static int writeThroughLibssl(HandshakeEngine libssl, ByteBuffer[] srcs, int offset, int length, int payload) {
        Scratch scratch = Scratch.lease();
        try {
            CallerBuffers.gather(srcs, offset, length, scratch.address(), payload);
            return libssl.write(scratch.address(), payload);
        } finally {
            RawMemory.zero(scratch.address(), payload);
            scratch.release();
        }
    }

    /**
     * Moves whole records from libssl's ring, as many as the destination has room for. Returns their size; 0 when not
     * even the first one fits.
     */
    static int drain(HandshakeEngine libssl, ByteBuffer dst) {
        int available = libssl.sendLength();
        long from = libssl.sendAddress();
        int bytes = wholeRecords(from, available, dst.remaining());
        CallerBuffers.put(from, bytes, dst);
        libssl.sent(bytes);
        return bytes;
    }

    private static int wholeRecords(long from, int available, int room) {
        int end = 0;
        while (available - end >= RecordProtector.HEADER_BYTES) {
            int record = RecordAssembly.recordBytes(from + end);
            if (end + record > Math.min(available, room)) {
                break;
            }
            end += record;
        }
        // The ring has wrapped inside of the record: its end follows in the next call.
        return end == 0 && available <= room ? available : end;
    }
}
