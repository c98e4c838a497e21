package dev.sluice.tls.engine;

import dev.sluice.tls.context.SharedContext;
import dev.sluice.tls.context.TlsContext;
import org.jspecify.annotations.Nullable;

/**
 * An engine of libssl on a non-blocking socket: libssl calls read(2) and write(2) itself, directly on its own record
 * buffer.
 *
 * <p>WANT_READ and WANT_WRITE mean: wait until the descriptor is readable or writable, then call again. A write that
 * returned WANT_WRITE has started a record: repeat it with at least the same bytes before writing anything else. The
 * descriptor's owner closes it after the engine.
 */
public final class DescriptorEngine extends OpenSslEngine {
    private DescriptorEngine(SharedContext context, @Nullable ClientTarget target, int descriptor) {
        super(context, target);
        try {
            ssl().attach(descriptor);
        } catch (Throwable t) {
            close();
            throw t;
        }
    }

    /** Creates a server's engine on a connected, non-blocking socket. The caller closes the engine. */
    public static DescriptorEngine server(SharedContext context, int descriptor) {
        return new DescriptorEngine(context, null, descriptor);
    }

    /**
     * Creates a client's engine on a connected, non-blocking socket. The caller closes the engine.
     *
     * @param host DNS name or IP address that the server's certificate must be for; "" only without verification
     */
    public static DescriptorEngine client(TlsContext context, String host, int descriptor) {
        return new DescriptorEngine(context, new ClientTarget(host, null), descriptor);
    }

    /** Creates a client's engine that offers to resume a session, which the caller keeps. */
    public static DescriptorEngine client(TlsContext context, String host, TlsSession session, int descriptor) {
        return new DescriptorEngine(context, new ClientTarget(host, session), descriptor);
    }

    @Override
    public boolean hasPendingPlaintext() {
        return !isFreed() && ssl().pending() > 0;
    }

    @Override
    int writable(int length) {
        return length;
    }

    @Override
    boolean hasRoomForAlert() {
        return true;
    }

    @Override
    boolean hasReceived() {
        return ssl().bytesRead() > 0;
    }

    @Override
    void freeTransport() {
        // The descriptor belongs to its owner.
    }
}
