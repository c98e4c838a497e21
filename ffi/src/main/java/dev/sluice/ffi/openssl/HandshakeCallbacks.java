package dev.sluice.ffi.openssl;

import static dev.sluice.ffi.internal.NativeLibrary.INT;
import static dev.sluice.ffi.internal.NativeLibrary.LONG;

import dev.sluice.ffi.RawMemory;
import dev.sluice.ffi.internal.NativeLibrary;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * The function pointers that libssl calls during a server's handshake: four for the whole process.
 *
 * <p>libssl calls back on the thread that called {@code SSL_do_handshake}, inside that call. So the connection is found
 * through a slot of the thread, filled by {@link #enter} and emptied by {@link #leave}: no map from address to object, and
 * nothing to unregister. No exception gets out; what is thrown goes to {@link Target#onCallbackFailed}.
 */
@SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // called by libssl, with parameters of its choice
public final class HandshakeCallbacks {
    static final long CLIENT_HELLO =
            stub("clientHello", MethodType.methodType(int.class, long.class, long.class, long.class));
    static final long SERVER_NAME =
            stub("serverName", MethodType.methodType(int.class, long.class, long.class, long.class));
    static final long ALPN_SELECT = stub(
            "alpnSelect",
            MethodType.methodType(int.class, long.class, long.class, long.class, long.class, int.class, long.class));

    static final long TICKET_KEY = stub(
            "ticketKey",
            MethodType.methodType(int.class, long.class, long.class, long.class, long.class, long.class, int.class));

    private static final ThreadLocal<@Nullable Target> CURRENT = new ThreadLocal<>();

    /** The connection whose handshake runs. */
    public interface Target {
        /** A result of {@link #onClientHello}: go on. */
        int PROCEED = -1;

        /** A result of {@link #onAlpn}: go on without ALPN. */
        int NO_PROTOCOL = -1;

        /** A result of {@link #onAlpn}: end the handshake with the alert no_application_protocol. */
        int REFUSE = -2;

        /** A result of {@link #onTicketKey}: no ticket is sent, or none of our keys has sealed this one. */
        int NO_TICKET = 0;

        /** A result of {@link #onTicketKey}: the contexts are ready. */
        int TICKET_OK = 1;

        /** A result of {@link #onTicketKey}: likewise, and the client is to get a new ticket. */
        int TICKET_TO_RENEW = 2;

        /**
         * A ClientHello came; nothing was decided yet, not even whether a session is resumed.
         *
         * @return {@link #PROCEED}, or the alert to end the handshake with
         */
        int onClientHello();

        /**
         * The client offers protocols.
         *
         * @param offered address of the list, each name behind a byte of length
         * @param length of the list, in bytes
         * @return the offset of the length byte of the chosen one, {@link #NO_PROTOCOL} or {@link #REFUSE}
         */
        int onAlpn(long offered, int length);

        /**
         * A ticket is to be sealed, or to be opened.
         *
         * @param name address of the key's name: to be filled in, or as it stands in the ticket
         * @param iv address of the initialization vector, likewise
         * @return {@link #NO_TICKET}, {@link #TICKET_OK} or {@link #TICKET_TO_RENEW}
         */
        int onTicketKey(long name, long iv, long cipherContext, long macContext, boolean sealing);

        /**
         * A client's ticket was opened; whether its session is resumed is decided next. Asked of contexts with
         * {@link SslCtx#watchTickets} or {@link SslCtx#earlyData} only.
         *
         * @param session address of the session, for the time of this call; see {@link Ssl#offered}
         */
        void onTicketOpened(long session);

        /**
         * The client resumes a session and offers early data that libssl would take; asked of contexts with
         * {@link SslCtx#earlyData} only.
         *
         * @return whether it is taken; if not, the handshake goes on and the early data is skipped
         */
        boolean onEarlyData();

        /**
         * The client asks for the status of its certificate; asked of contexts with {@link SslCtx#installStatusCallback} only.
         *
         * @param certificate address of the one that was chosen for this client
         * @return an OCSP response in DER, which is copied; null: none
         */
        byte @Nullable [] onStatusRequest(long certificate);

        /**
         * The client's certificate verifies; asked of connections with {@link Ssl#verifyNames} or {@link SslCtx#verifyNames}
         * only, and of no session that is resumed.
         *
         * @param certificate valid during the call
         * @return whether the client is let in
         */
        boolean onClientCertificate(X509 certificate);

        /** One of the above threw; the handshake will fail, or go on without a ticket. */
        void onCallbackFailed(Throwable thrown);
    }

    private HandshakeCallbacks() {}

    /** Before a handshake call: callbacks on this thread go to the target. */
    public static void enter(Target target) {
        CURRENT.set(target);
    }

    /** After a handshake call. */
    public static void leave() {
        CURRENT.set(null);
    }

    /** The connection whose handshake runs on this thread. */
    static @Nullable Target current() {
        return CURRENT.get();
    }

    /** {@code int (*SSL_client_hello_cb_fn)(SSL *s, int *al, void *arg)}. */
    private static int clientHello(long ssl, long alertOut, long argument) {
        Target target = CURRENT.get();
        int alert = OpenSslConstants.SSL_AD_INTERNAL_ERROR;
        try {
            if (target != null) {
                alert = target.onClientHello();
            }
        } catch (Throwable t) {
            report(target, t);
        }
        if (alert == Target.PROCEED) {
            return OpenSslConstants.SSL_CLIENT_HELLO_SUCCESS;
        }
        RawMemory.putInt(alertOut, alert);
        return OpenSslConstants.SSL_CLIENT_HELLO_ERROR;
    }

    /**
     * {@code int (*)(SSL *s, int *al, void *arg)}. All is decided in the ClientHello callback; this one only makes libssl
     * acknowledge the name, and remember it with the session.
     */
    private static int serverName(long ssl, long alertOut, long argument) {
        return OpenSslConstants.SSL_TLSEXT_ERR_OK;
    }

    /** {@code int (*SSL_CTX_alpn_select_cb_func)(SSL *, const uchar **out, uchar *outlen, const uchar *in, uint inlen, void *arg)}. */
    private static int alpnSelect(long ssl, long out, long outLength, long in, int inLength, long argument) {
        Target target = CURRENT.get();
        int chosen = Target.REFUSE;
        try {
            if (target != null) {
                chosen = target.onAlpn(in, inLength);
            }
        } catch (Throwable t) {
            report(target, t);
        }
        if (chosen < 0) {
            return chosen == Target.NO_PROTOCOL
                    ? OpenSslConstants.SSL_TLSEXT_ERR_NOACK
                    : OpenSslConstants.SSL_TLSEXT_ERR_ALERT_FATAL;
        }
        RawMemory.putLong(out, in + chosen + 1);
        RawMemory.putByte(outLength, RawMemory.getByte(in + chosen));
        return OpenSslConstants.SSL_TLSEXT_ERR_OK;
    }

    /**
     * {@code int (*)(SSL *s, unsigned char name[16], unsigned char iv[16], EVP_CIPHER_CTX *, EVP_MAC_CTX *, int enc)}. What
     * throws costs the ticket, not the handshake.
     */
    private static int ticketKey(long ssl, long name, long iv, long cipherContext, long macContext, int sealing) {
        Target target = CURRENT.get();
        try {
            return target == null
                    ? Target.NO_TICKET
                    : target.onTicketKey(name, iv, cipherContext, macContext, sealing != 0);
        } catch (Throwable t) {
            return Target.NO_TICKET;
        }
    }

    private static void report(@Nullable Target target, Throwable thrown) {
        try {
            if (target != null) {
                target.onCallbackFailed(thrown);
            }
        } catch (Throwable ignored) {
            // Nothing may leave an upcall: the process would end. The handshake fails all the same.
        }
    }

    private static long stub(String method, MethodType type) {
        try {
            MethodHandle handle = MethodHandles.lookup().findStatic(HandshakeCallbacks.class, method, type);
            MemoryLayout[] parameters = type.parameterList().stream()
                    .map(parameter -> parameter == int.class ? INT : LONG)
                    .toArray(MemoryLayout[]::new);
            return NativeLibrary.callback(handle, INT, parameters);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("no such method: " + method, e);
        }
    }
}
