package dev.sluice.tls.engine;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.BioPair;
import dev.sluice.tls.context.SharedContext;
import dev.sluice.tls.context.TlsContext;
import org.jspecify.annotations.Nullable;

/**
 * An engine of libssl over two rings in memory, without any I/O: the owner of the socket receives into and sends from
 * the rings' memory.
 *
 * <p>Both rings have the size set in the context; a connection's bytes are only in them and in libssl. When the
 * outgoing ring wraps, {@link #sendLength()} is the contiguous part.
 */
public final class MemoryEngine extends OpenSslEngine implements BufferedEngine {
    /** The maximum plaintext of one record: 2^14 bytes (RFC 8446 section 5.1). */
    private static final int MAX_PLAINTEXT = 16_384;

    /**
     * The maximum overhead of a record (RFC 5246 section 6.2.3: header, IV, MAC, padding), plus room for a preceding
     * KeyUpdate response.
     */
    private static final int MAX_OVERHEAD = 256;

    private final BioPair pair;
    private long lentAddress;
    private int lentCapacity;
    private @Nullable ProtectedRecords counted;
    private boolean anythingReceived;

    private MemoryEngine(SharedContext context, @Nullable ClientTarget target, BioPair pair) {
        super(context, target);
        this.pair = pair;
        try {
            ssl().attach(pair);
        } catch (Throwable t) {
            close();
            throw t;
        }
    }

    /** Creates a server's engine. The caller closes it. */
    public static MemoryEngine server(SharedContext context) {
        return make(context, null);
    }

    /**
     * Creates a client's engine. The caller closes it.
     *
     * @param host DNS name or IP address that the server's certificate must be for; "" only without verification
     */
    public static MemoryEngine client(TlsContext context, String host) {
        return make(context, new ClientTarget(host, null));
    }

    /** Creates a client's engine that offers to resume a session, which the caller keeps. */
    public static MemoryEngine client(TlsContext context, String host, TlsSession session) {
        return make(context, new ClientTarget(host, session));
    }

    private static MemoryEngine make(SharedContext context, @Nullable ClientTarget target) {
        BioPair pair = new BioPair(context.entry().settings().ringBytes());
        try {
            return new MemoryEngine(context, target, pair);
        } catch (Throwable t) {
            pair.close();
            throw t;
        }
    }

    /** Continues the handshake; the delegate decides about certificates, and is not kept. */
    int handshake(HandshakeDelegate decisions) {
        return handshakeWith(decisions);
    }

    @Override
    public int handshake(long earlyAddress, int earlyCapacity) {
        return handshakeWithEarlyData(earlyAddress, earlyCapacity);
    }

    @Override
    public @Nullable EarlyData earlyData() {
        return acceptedEarlyData();
    }

    /** Returns whether a receive into the ring may be pending. */
    boolean isLent() {
        return lentCapacity > 0;
    }

    BioPair pair() {
        return pair;
    }

    @Override
    public int receiveCapacity() {
        lend();
        return lentCapacity;
    }

    @Override
    public long receiveAddress() {
        lend();
        return lentAddress;
    }

    /** Sets the counter of received records; null for none. */
    void count(@Nullable ProtectedRecords records) {
        counted = records;
    }

    /** Returns the counter of received records. */
    @Nullable
    ProtectedRecords counted() {
        return counted;
    }

    private void lend() {
        lentAddress = isFreed() ? 0 : pair.receiveAddress();
        lentCapacity = isFreed() ? 0 : pair.receiveCapacity();
    }

    @Override
    public void received(int count) {
        if (count < 0 || count > lentCapacity) {
            throw new IllegalArgumentException("received more than the room, count=" + count + ", capacity="
                    + lentCapacity + "; check receiveCapacity() before each receive");
        }
        if (count == 0 || isFreed()) {
            lentCapacity = 0;
            return;
        }
        // A ring that became empty during the receive restarts at its beginning.
        if (counted != null) {
            counted.read(lentAddress, count);
        }
        long expectedAddress = pair.receiveAddress();
        if (expectedAddress != lentAddress) {
            RawMemory.copy(lentAddress, expectedAddress, count);
        }
        pair.received(count);
        lentCapacity = 0;
        anythingReceived = true;
    }

    @Override
    public void receivedEndOfStream() {
        if (!isFreed()) {
            pair.endOfStream();
        }
    }

    @Override
    public int sendLength() {
        return isFreed() ? 0 : pair.sendLength();
    }

    @Override
    public long sendAddress() {
        return isFreed() ? 0 : pair.sendAddress();
    }

    @Override
    public void sent(int count) {
        if (isFreed()) {
            return;
        }
        if (count < 0 || count > pair.sendLength()) {
            throw new IllegalArgumentException(
                    "sent more than was waiting, count=" + count + ", sendLength=" + pair.sendLength());
        }
        pair.sent(count);
    }

    @Override
    public boolean hasPendingPlaintext() {
        return !isFreed() && (ssl().pending() > 0 || pair.unread() > 0);
    }

    /**
     * Returns the writable part in whole records: a record that does not fit is not started, so that accepted plaintext
     * is always sealed completely and full records stay full.
     */
    @Override
    int writable(int length) {
        int record = Math.min(length, MAX_PLAINTEXT);
        return pair.writeRoom() >= record + MAX_OVERHEAD ? record : 0;
    }

    @Override
    boolean hasRoomForAlert() {
        return pair.writeRoom() >= MAX_OVERHEAD;
    }

    @Override
    boolean hasReceived() {
        return anythingReceived;
    }

    @Override
    void freeTransport() {
        pair.close();
    }
}
