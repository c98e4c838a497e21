package dev.sluice.ffi.openssl;

import static dev.sluice.ffi.internal.NativeLibrary.INT;
import static dev.sluice.ffi.internal.NativeLibrary.LONG;
import static dev.sluice.ffi.internal.NativeLibrary.VOID;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL_CTRL_SET_MSG_CALLBACK_ARG;

import dev.sluice.ffi.internal.NativeLibrary;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.raw.LibCrypto;
import dev.sluice.ffi.openssl.raw.LibSsl;
import dev.sluice.ffi.openssl.raw.LibSslDetach;
import dev.sluice.ffi.openssl.raw.OpenSslConstants;
import dev.sluice.memory.Ledger;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;

/**
 * A tap that copies the protocol messages that libssl sends and receives on one connection, for inspecting a peer, not
 * for the data path. {@link RecordTally} uses the same libssl callback, so a connection has one of the two.
 *
 * <p>libssl reports each message to its message callback, one function pointer for the whole process, which appends it
 * to native memory attached to the {@code SSL}:
 *
 * <pre>
 *   0        8         then for each message, aligned to 8 bytes
 *   +--------+---------+-------+-------+---------+--------+-------------+
 *   | used   | nanos 8 | sent 4| type 4| length 4| (pad)  | bytes       |
 *   +--------+---------+-------+-------+---------+--------+-------------+
 * </pre>
 *
 * <p>Confined to the connection's thread. Freed after the {@code SSL}.
 */
@SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // called by libssl, with parameters of its choice
public final class MessageTap implements AutoCloseable {
    /** A record header: type, version, length. */
    public static final int RECORD_HEADER = OpenSslConstants.SSL3_RT_HEADER;

    /** A handshake message, including its header. */
    public static final int HANDSHAKE = OpenSslConstants.SSL3_RT_HANDSHAKE;

    /** An alert: level and description. */
    public static final int ALERT = 21; // <openssl/ssl3.h>

    /** libssl accepts chains of at most 100 KiB, and a caller takes the messages after each call. */
    private static final int CAPACITY = 256 * 1024;

    private static final int USED = 0;
    private static final int FIRST = 8;
    private static final int NANOS = 0;
    private static final int SENT = 8;
    private static final int TYPE = 12;
    private static final int LENGTH = 16;
    private static final int BYTES = 24;
    private static final int ALIGNMENT = 8;

    private static final long STUB = stub();
    private static final Ledger.Account ACCOUNT = Ledger.process().account("message tap");

    private long address;

    /**
     * A protocol message.
     *
     * @param sent true if this side sent it
     * @param type {@link #RECORD_HEADER}, {@link #HANDSHAKE}, {@link #ALERT}, or another content type
     * @param nanos {@link System#nanoTime} when libssl reported it
     * @param bytes the message in the clear
     */
    @SuppressWarnings("ArrayRecordComponent") // passed on, never compared
    public record Message(boolean sent, int type, long nanos, byte[] bytes) {}

    /** Creates an empty tap. */
    public MessageTap() {
        this.address = LibCrypto.CRYPTO_zalloc(CAPACITY, 0, 0);
        if (address == 0) {
            throw OpenSslException.drained("CRYPTO_zalloc of " + CAPACITY + " bytes failed");
        }
        RawMemory.putLong(address + USED, FIRST);
        ACCOUNT.acquired(CAPACITY);
    }

    /** Starts copying the messages of a connection. */
    public void attach(Ssl ssl) {
        LibSslDetach.SSL_set_msg_callback(ssl.address(), STUB);
        LibSsl.SSL_ctrl(ssl.address(), SSL_CTRL_SET_MSG_CALLBACK_ARG, 0, address);
    }

    /** Removes and returns the messages in order. */
    public List<Message> take() {
        List<Message> messages = new ArrayList<>();
        long end = address + RawMemory.getLong(address + USED);
        for (long at = address + FIRST; at < end; at += size(RawMemory.getInt(at + LENGTH))) {
            byte[] bytes = new byte[RawMemory.getInt(at + LENGTH)];
            RawMemory.copy(at + BYTES, bytes, 0, bytes.length);
            boolean sent = RawMemory.getInt(at + SENT) != 0;
            messages.add(new Message(sent, RawMemory.getInt(at + TYPE), RawMemory.getLong(at + NANOS), bytes));
        }
        RawMemory.putLong(address + USED, FIRST);
        return messages;
    }

    /** Frees the memory. Idempotent. */
    @Override
    public void close() {
        if (address != 0) {
            LibCrypto.CRYPTO_clear_free(address, CAPACITY, 0, 0);
            address = 0;
            ACCOUNT.released(CAPACITY);
        }
    }

    /**
     * Implements {@code void (*)(int write_p, int version, int content_type, const void *buf, size_t len, SSL *ssl,
     * void *arg)}.
     */
    private static void onMessage(int sent, int version, int type, long bytes, long length, long ssl, long tap) {
        try {
            if (tap != 0) {
                append(tap, sent, type, bytes, length);
            }
        } catch (Throwable ignored) {
            // No exception may escape an upcall: it would end the process. Nothing here throws.
        }
    }

    private static void append(long tap, int sent, int type, long bytes, long length) {
        long used = RawMemory.getLong(tap + USED);
        if (length < 0 || length > CAPACITY || used + size((int) length) > CAPACITY) {
            return; // no room: lost
        }
        long at = tap + used;
        RawMemory.putLong(at + NANOS, System.nanoTime());
        RawMemory.putInt(at + SENT, sent);
        RawMemory.putInt(at + TYPE, type);
        RawMemory.putInt(at + LENGTH, (int) length);
        RawMemory.copy(bytes, at + BYTES, length);
        RawMemory.putLong(tap + USED, used + size((int) length));
    }

    private static long size(int length) {
        return (BYTES + length + ALIGNMENT - 1L) / ALIGNMENT * ALIGNMENT;
    }

    private static long stub() {
        try {
            MethodType type = MethodType.methodType(
                    void.class, int.class, int.class, int.class, long.class, long.class, long.class, long.class);
            MethodHandle handle = MethodHandles.lookup().findStatic(MessageTap.class, "onMessage", type);
            return NativeLibrary.callback(handle, VOID, INT, INT, INT, LONG, LONG, LONG, LONG);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("no such method: onMessage", e);
        }
    }
}
