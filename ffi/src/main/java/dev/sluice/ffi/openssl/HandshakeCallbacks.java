package dev.sluice.ffi.openssl;

import static dev.sluice.ffi.internal.NativeLibrary.INT;
import static dev.sluice.ffi.internal.NativeLibrary.LONG;

import dev.sluice.ffi.internal.NativeLibrary;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.raw.OpenSslConstants;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * The function pointers that libssl calls during a server handshake: four for the whole process.
 *
 * <p>libssl calls back on the thread that called {@code SSL_do_handshake}, inside that call. The connection is
 * therefore found through a thread-bound slot, set by {@link #enter} and cleared by {@link #leave}: no map from address
 * to object, and nothing to unregister. Exceptions do not escape; they are passed to {@link Target#onCallbackFailed}.
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

    /** The connection whose handshake is running. */
    public interface Target {
        /** Result of {@link #onClientHello}: continue. */
        int PROCEED = -1;

        /** Result of {@link #onAlpn}: continue without ALPN. */
        int NO_PROTOCOL = -1;

        /** Result of {@link #onAlpn}: end the handshake with the alert no_application_protocol. */
        int REFUSE = -2;

        /** Result of {@link #onCertificate}: the handshake fails. */
        int NO_CERTIFICATE = 0;

        /** Result of {@link #onCertificate}: certificates are set, or there are none to be presented. */
        int CERTIFICATE_READY = 1;

        /** Result of {@link #onCertificate}: suspend the handshake, and call again when it is continued. */
        int SUSPEND = -1;

        /** Result of {@link #onTicketKey}: send no ticket, or the ticket was sealed with an unknown key. */
        int NO_TICKET = 0;

        /** Result of {@link #onTicketKey}: the contexts are ready. */
        int TICKET_OK = 1;

        /** Result of {@link #onTicketKey}: the contexts are ready, and the client gets a new ticket. */
        int TICKET_TO_RENEW = 2;

        /**
         * Handles a ClientHello, before any decision, including resumption.
         *
         * @return {@link #PROCEED}, or the alert that ends the handshake
         */
        int onClientHello();

        /**
         * Selects an application protocol.
         *
         * @param offered address of the client's list, each name preceded by a length byte
         * @param length of the list, in bytes
         * @return the offset of the length byte of the chosen one, {@link #NO_PROTOCOL} or {@link #REFUSE}
         */
        int onAlpn(long offered, int length);

        /**
         * Selects the key that seals or opens a ticket.
         *
         * @param name address of the key's name: an output when sealing, the ticket's name when opening
         * @param iv address of the initialization vector, likewise
         * @return {@link #NO_TICKET}, {@link #TICKET_OK} or {@link #TICKET_TO_RENEW}
         */
        int onTicketKey(long name, long iv, long cipherContext, long macContext, boolean sealing);

        /**
         * Handles a client's opened ticket, before the decision whether its session is resumed. Called only for
         * contexts with {@link SslCtx#watchTickets} or {@link SslCtx#earlyData}.
         *
         * @param session address of the session, valid during the call; see {@link Ssl#offered}
         */
        void onTicketOpened(long session);

        /**
         * Decides about acceptable early data of a resuming client; called only for contexts with {@link
         * SslCtx#earlyData}.
         *
         * @return true to accept it; if false, the handshake continues and the early data is skipped
         */
        boolean onEarlyData();

        /**
         * Returns the OCSP response for a client's status request; called only for contexts with {@link
         * SslCtx#installStatusCallback}.
         *
         * @param certificate address of the certificate chosen for this client
         * @return an OCSP response in DER, which is copied; null for none
         */
        byte @Nullable [] onStatusRequest(long certificate);

        /**
         * Authorizes a verified client certificate; called only for connections with {@link Ssl#verifyNames} or {@link
         * SslCtx#verifyNames}, and never for a resumed session.
         *
         * @param certificate valid during the call
         * @return true to accept the client
         */
        boolean onClientCertificate(X509 certificate);

        /**
         * Chooses our certificate: for a server after each ClientHello that does not resume, for a client when its
         * server requests one. Called only for contexts of {@code DelegationCallbacks}.
         *
         * @return {@link #CERTIFICATE_READY}, {@link #NO_CERTIFICATE} or {@link #SUSPEND}
         */
        int onCertificate();

        /**
         * Judges the peer's certificates instead of libssl; called only for contexts of {@code DelegationCallbacks}. A
         * client may call {@code PeerOffer.suspendVerification} and return OK: it is called again when the handshake
         * continues.
         *
         * @param storeContext valid during the call; see {@code PeerOffer.chain}
         * @return {@code X509_V_OK}, or the error that decides on the alert
         */
        int onVerify(long storeContext);

        /**
         * Signs with a private key that is not in native memory; called only for keys of {@code SigningProvider}.
         *
         * @param key the number of the key
         * @param digest OpenSSL's name of the digest, such as {@code SHA2-256}; "" for algorithms with their own
         * @param padding {@code RSA_PKCS1_PSS_PADDING}, with a salt as long as the digest; 0 for the key type's default
         * @param message what is to be digested and signed
         * @return the signature; null to fail the handshake
         */
        byte @Nullable [] onSign(long key, String digest, int padding, byte[] message);

        /** Handles an exception from one of the callbacks above; the handshake fails, or continues without a ticket. */
        void onCallbackFailed(Throwable thrown);
    }

    private HandshakeCallbacks() {}

    /** Directs callbacks on this thread to the target; called before a handshake call. */
    public static void enter(Target target) {
        CURRENT.set(target);
    }

    /** Clears the target; called after a handshake call. */
    public static void leave() {
        CURRENT.set(null);
    }

    /** Returns the connection whose handshake is running on this thread. */
    public static @Nullable Target current() {
        return CURRENT.get();
    }

    /** Implements {@code int (*SSL_client_hello_cb_fn)(SSL *s, int *al, void *arg)}. */
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
     * Implements {@code int (*)(SSL *s, int *al, void *arg)}. The ClientHello callback makes all decisions; this one
     * only makes libssl acknowledge the name and store it in the session.
     */
    private static int serverName(long ssl, long alertOut, long argument) {
        return OpenSslConstants.SSL_TLSEXT_ERR_OK;
    }

    /**
     * Implements {@code int (*SSL_CTX_alpn_select_cb_func)(SSL *, const uchar **out, uchar *outlen, const uchar *in,
     * uint inlen, void *arg)}.
     */
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
     * Implements {@code int (*)(SSL *s, unsigned char name[16], unsigned char iv[16], EVP_CIPHER_CTX *, EVP_MAC_CTX *,
     * int enc)}. An exception fails the ticket, not the handshake.
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
            // No exception may escape an upcall: it would end the process. The handshake fails instead.
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
