package dev.sluice.jsse.engine;

import dev.sluice.ffi.openssl.delegation.PeerOffer;
import dev.sluice.jsse.context.ContextProfile;
import dev.sluice.jsse.context.ContextState;
import dev.sluice.jsse.context.Reclaimable;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.engine.DirectRecords;
import dev.sluice.tls.engine.HandshakeEngine;
import dev.sluice.tls.engine.LoopCrypto;
import dev.sluice.tls.engine.SessionKeeper;
import dev.sluice.tls.engine.TlsSession;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.BiFunction;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * The native state of one engine: libssl's during the handshake, then the records' keys. Refers to nothing of the
 * application, so that a dropped engine can be reclaimed. Guarded by the engine's lock.
 */
final class NativeConnection implements Reclaimable, AutoCloseable {
    /** The JDK's property for OCSP stapling at clients; true unless set. */
    private static final String STATUS_REQUEST_PROPERTY = "jdk.tls.client.enableStatusRequestExtension";

    private final LoopCrypto crypto;
    private @Nullable HandshakeEngine libssl;
    private @Nullable DirectRecords records;

    /** Takes ownership of both. */
    private NativeConnection(LoopCrypto crypto, HandshakeEngine libssl) {
        this.crypto = crypto;
        this.libssl = libssl;
    }

    /** Creates a server's connection. The caller closes it. */
    static NativeConnection server(ContextState context, ContextProfile profile) throws SSLHandshakeException {
        return make(context, profile, HandshakeEngine::server);
    }

    /**
     * Creates a client's connection, which requests a stapled OCSP response unless the JDK's property says otherwise.
     * The caller closes it.
     *
     * @param serverName the name to send by SNI; "" for none
     * @param offered a session to resume, which the caller keeps; null for none
     */
    static NativeConnection client(
            ContextState context, ContextProfile profile, String serverName, @Nullable TlsSession offered)
            throws SSLHandshakeException {
        NativeConnection made =
                make(context, profile, (shared, crypto) -> HandshakeEngine.client(shared, serverName, offered, crypto));
        try {
            if (!"false".equalsIgnoreCase(System.getProperty(STATUS_REQUEST_PROPERTY))) {
                Objects.requireNonNull(made.libssl).ssl().askForStatus();
            }
            return made;
        } catch (Throwable t) {
            made.close();
            throw t;
        }
    }

    private static NativeConnection make(
            ContextState context, ContextProfile profile, BiFunction<TlsContext, LoopCrypto, HandshakeEngine> maker)
            throws SSLHandshakeException {
        LoopCrypto crypto = context.crypto();
        try {
            return new NativeConnection(crypto, context.withContext(profile, shared -> maker.apply(shared, crypto)));
        } catch (Throwable t) {
            crypto.close();
            throw t;
        }
    }

    /** Returns the connection in libssl; null after the detach. */
    @Nullable
    HandshakeEngine libssl() {
        return libssl;
    }

    /** Returns the records; null before the detach. */
    @Nullable
    DirectRecords records() {
        return records;
    }

    /** Detaches the connection from libssl if it can be now. */
    void detach(SessionKeeper keeper) {
        HandshakeEngine from = libssl;
        if (from == null || !from.mayDetach()) {
            return;
        }
        DirectRecords to = from.detach(keeper);
        if (to != null) {
            from.close();
            libssl = null;
            records = to;
        }
    }

    /** Returns whether bytes wait to be sent. */
    boolean outputWaits() {
        DirectRecords direct = records;
        if (direct != null) {
            return direct.controlWaits();
        }
        HandshakeEngine from = libssl;
        return from != null && from.sendLength() > 0;
    }

    /** Closes our direction of an established connection. */
    void closeOutput() {
        if (records != null) {
            records.closeOutput();
        } else if (libssl != null) {
            libssl.closeOutput();
        }
    }

    /** Returns keying material, see {@link dev.sluice.tls.record.KeyingMaterial}. */
    byte[] export(String label, byte @Nullable [] context, int length) {
        DirectRecords direct = records;
        if (direct != null) {
            return direct.export(label.getBytes(StandardCharsets.UTF_8), context, length);
        }
        return PeerOffer.export(Objects.requireNonNull(libssl).ssl(), label, context, length);
    }

    @Override
    public void reclaim() {
        close();
    }

    /** Frees everything. Idempotent. */
    @Override
    public void close() {
        boolean open = libssl != null || records != null;
        if (libssl != null) {
            libssl.close();
            libssl = null;
        }
        if (records != null) {
            records.close();
            records = null;
        }
        if (open) {
            crypto.close();
        }
    }
}
