package dev.sluice.ffi.openssl;

import static dev.sluice.ffi.internal.NativeLibrary.INT;
import static dev.sluice.ffi.internal.NativeLibrary.LONG;
import static dev.sluice.ffi.internal.NativeLibrary.VOID;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL3_MT_KEY_UPDATE;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL3_MT_NEWSESSION_TICKET;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL3_RT_HANDSHAKE;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL3_RT_HEADER;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL_CTRL_SET_MSG_CALLBACK_ARG;

import dev.sluice.ffi.internal.NativeLibrary;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.raw.LibCrypto;
import dev.sluice.ffi.openssl.raw.LibSsl;
import dev.sluice.ffi.openssl.raw.LibSslDetach;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.fault.FaultPoint;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * A counter of the records that libssl receives and sends on one connection, and of the TLS 1.3 messages that affect
 * their keys: the state needed to continue the connection outside libssl.
 *
 * <p>libssl reports each to its message callback: one function pointer for the whole process, which counts in native
 * memory attached to the {@code SSL}:
 *
 * <pre>
 *   0            8            16           24           28           32        36      40
 *   +------------+------------+------------+------------+------------+---------+-------+
 *   | records    | records    | bytes      | generation | generation | tickets | (pad) |
 *   | received   | sent       | received   | received   | sent       |         |       |
 *   +------------+------------+------------+------------+------------+---------+-------+
 * </pre>
 *
 * <p>Records count from the last {@link #begin} or KeyUpdate of their direction, so that their number is the next
 * sequence number; a generation is the number of KeyUpdates. A record counts when its header is read or written: libssl
 * is between records when {@link #bytesReceived} equals the bytes that it has read. Must be attached before the
 * handshake, since libssl installs the callback together with its keys. Freed after the {@code SSL}.
 */
@SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // called by libssl, with parameters of its choice
public final class RecordTally implements AutoCloseable {
    private static final int BYTES = 40;
    private static final int RECORDS_RECEIVED = 0;
    private static final int RECORDS_SENT = 8;
    private static final int BYTES_RECEIVED = 16;
    private static final int GENERATION_RECEIVED = 24;
    private static final int GENERATION_SENT = 28;
    private static final int TICKETS = 32;

    private static final int HEADER_BYTES = 5;
    private static final long STUB = stub();
    private static final Ledger.Account ACCOUNT = Ledger.process().account("record tally");

    private long address;

    /** Creates a tally of zeros. */
    public RecordTally() {
        FaultPoint.LIBSSL.reach();
        this.address = LibCrypto.CRYPTO_zalloc(BYTES, 0, 0);
        if (address == 0) {
            throw OpenSslException.drained("CRYPTO_zalloc of " + BYTES + " bytes failed");
        }
        ACCOUNT.acquired(BYTES);
    }

    /** Starts counting the records of a connection. */
    public void attach(Ssl ssl) {
        LibSslDetach.SSL_set_msg_callback(ssl.address(), STUB);
        LibSsl.SSL_ctrl(ssl.address(), SSL_CTRL_SET_MSG_CALLBACK_ARG, 0, address);
    }

    /** Stops counting; required before the tally is freed if the connection continues. */
    public void detach(Ssl ssl) {
        LibSslDetach.SSL_set_msg_callback(ssl.address(), 0);
        LibSsl.SSL_ctrl(ssl.address(), SSL_CTRL_SET_MSG_CALLBACK_ARG, 0, 0);
    }

    /** Resets the counts: the application keys are in use from here on. */
    public void begin() {
        RawMemory.zero(address, BYTES);
    }

    /** Returns the number of records received under the peer's current key. */
    public long recordsReceived() {
        return RawMemory.getLong(address + RECORDS_RECEIVED);
    }

    /** Returns the number of records sent under our current key. */
    public long recordsSent() {
        return RawMemory.getLong(address + RECORDS_SENT);
    }

    /** Returns the bytes of all records received, including headers and the last record, which may be incomplete. */
    public long bytesReceived() {
        return RawMemory.getLong(address + BYTES_RECEIVED);
    }

    /** Returns the number of KeyUpdates received. */
    public int generationReceived() {
        return RawMemory.getInt(address + GENERATION_RECEIVED);
    }

    /** Returns the number of KeyUpdates sent. */
    public int generationSent() {
        return RawMemory.getInt(address + GENERATION_SENT);
    }

    /** Returns the number of NewSessionTickets received. */
    public int tickets() {
        return RawMemory.getInt(address + TICKETS);
    }

    /** Frees the memory. Idempotent. */
    @Override
    public void close() {
        if (address != 0) {
            LibCrypto.CRYPTO_clear_free(address, BYTES, 0, 0);
            address = 0;
            ACCOUNT.released(BYTES);
        }
    }

    /**
     * Implements {@code void (*)(int write_p, int version, int content_type, const void *buf, size_t len, SSL *ssl,
     * void *arg)}.
     */
    private static void onMessage(int sent, int version, int type, long bytes, long length, long ssl, long tally) {
        try {
            if (tally == 0 || length < 1) {
                return;
            }
            if (type == SSL3_RT_HEADER && length == HEADER_BYTES) {
                onHeader(tally, sent != 0, bytes);
            } else if (type == SSL3_RT_HANDSHAKE) {
                onHandshakeMessage(tally, sent != 0, RawMemory.getByte(bytes));
            }
        } catch (Throwable ignored) {
            // No exception may escape an upcall: it would end the process. Nothing here throws.
        }
    }

    private static void onHeader(long tally, boolean sent, long header) {
        if (sent) {
            add(tally + RECORDS_SENT, 1);
        } else {
            add(tally + RECORDS_RECEIVED, 1);
            add(tally + BYTES_RECEIVED, HEADER_BYTES + (RawMemory.getShortBigEndian(header + 3) & 0xFFFF));
        }
    }

    private static void onHandshakeMessage(long tally, boolean sent, byte type) {
        if (type == SSL3_MT_KEY_UPDATE) {
            long generation = tally + (sent ? GENERATION_SENT : GENERATION_RECEIVED);
            RawMemory.putInt(generation, RawMemory.getInt(generation) + 1);
            RawMemory.putLong(tally + (sent ? RECORDS_SENT : RECORDS_RECEIVED), 0);
        } else if (type == SSL3_MT_NEWSESSION_TICKET && !sent) {
            RawMemory.putInt(tally + TICKETS, RawMemory.getInt(tally + TICKETS) + 1);
        }
    }

    private static void add(long counter, long count) {
        RawMemory.putLong(counter, RawMemory.getLong(counter) + count);
    }

    private static long stub() {
        try {
            MethodType type = MethodType.methodType(
                    void.class, int.class, int.class, int.class, long.class, long.class, long.class, long.class);
            MethodHandle handle = MethodHandles.lookup().findStatic(RecordTally.class, "onMessage", type);
            return NativeLibrary.callback(handle, VOID, INT, INT, INT, LONG, LONG, LONG, LONG);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("no such method: onMessage", e);
        }
    }
}
