package dev.sluice.ffi.openssl;

import static dev.sluice.ffi.internal.NativeLibrary.LONG;
import static dev.sluice.ffi.internal.NativeLibrary.VOID;

import dev.sluice.ffi.internal.NativeLibrary;
import dev.sluice.ffi.openssl.raw.LibSslDetach;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * The key-log callback of libssl: one function pointer for the whole process, installed on every server context.
 *
 * <p>A connection that wants its secrets names a piece of native memory with {@link Ssl#logKeysTo}; the address travels
 * with the {@code SSL}, so no map is needed. The line holds secrets as text and never becomes a Java object.
 */
@SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // called by libssl
public final class KeyLog {
    private static final int CRYPTO_EX_INDEX_SSL = 0; // <openssl/crypto.h>

    static final int EX_DATA_INDEX = index();
    static final long STUB = stub();

    private static volatile @Nullable Sink sink;

    /** A consumer of key-log lines. */
    public interface Sink {
        /**
         * Handles one secret, inside a handshake call, on its thread.
         *
         * @param slot the value passed to {@link Ssl#logKeysTo}
         * @param line address of the line: {@code LABEL <client random in hex> <secret in hex>}, NUL-terminated
         */
        void onLine(long slot, long line);
    }

    private KeyLog() {}

    /** Sets the consumer for the whole process. */
    public static void sink(Sink reader) {
        sink = reader;
    }

    /** Implements {@code void (*SSL_CTX_keylog_cb_func)(const SSL *ssl, const char *line)}. */
    private static void onLine(long ssl, long line) {
        try {
            long slot = LibSslDetach.SSL_get_ex_data(ssl, EX_DATA_INDEX);
            Sink reader = sink;
            if (slot != 0 && reader != null) {
                reader.onLine(slot, line);
            }
        } catch (Throwable ignored) {
            // No exception may escape an upcall: it would end the process. Without its secrets the connection stays in
            // libssl.
        }
    }

    private static int index() {
        int index = LibSslDetach.CRYPTO_get_ex_new_index(CRYPTO_EX_INDEX_SSL, 0, 0, 0, 0, 0);
        if (index < 0) {
            throw OpenSslException.drained("CRYPTO_get_ex_new_index failed");
        }
        return index;
    }

    private static long stub() {
        try {
            MethodHandle handle = MethodHandles.lookup()
                    .findStatic(KeyLog.class, "onLine", MethodType.methodType(void.class, long.class, long.class));
            return NativeLibrary.callback(handle, VOID, LONG, LONG);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("no such method: onLine", e);
        }
    }
}
