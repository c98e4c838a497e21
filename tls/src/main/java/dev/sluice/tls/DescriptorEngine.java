package dev.sluice.tls;

import org.jspecify.annotations.Nullable;

/**
 * libssl on a non-blocking socket: it calls read(2) and write(2) itself, straight from and to its own record buffer.
 *
 * <p>WANT_READ and WANT_WRITE mean: wait until the descriptor is readable or writable, then call again. A write that
 * returned WANT_WRITE has begun a record: repeat it with at least the same bytes before anything else is written. The
 * descriptor stays its owner's, who closes it after the engine.
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

    /** Makes a server's engine on a connected, non-blocking socket. Its owner closes it. */
    public static DescriptorEngine server(SharedContext context, int descriptor) {
        return new DescriptorEngine(context, null, descriptor);
    }

    /**
     * Makes a client's engine on a connected, non-blocking socket. Its owner closes it.
     *
     * @param host DNS name or IP address that the server's certificate must be for; "" only where nothing is verified
     */
    public static DescriptorEngine client(TlsContext context, String host, int descriptor) {
        return new DescriptorEngine(context, new ClientTarget(host, null), descriptor);
    }

    /** Makes a client's engine that offers to resume a session, which stays the caller's. */
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
        // The descriptor is its owner's.
    }
}
