package dev.sluice.tls;

import dev.sluice.ffi.RawMemory;
import dev.sluice.ffi.openssl.BioPair;
import dev.sluice.ffi.openssl.Ssl;
import dev.sluice.tls.record.CipherSuite;
import dev.sluice.tls.record.ConnectionKeys;
import dev.sluice.tls.record.RecordChannel;
import dev.sluice.tls.record.RecordProtector;
import dev.sluice.tls.record.TrafficKeys;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A server's engine that lets libssl do the handshake and then leaves it: the {@code SSL} is freed when the handshake is
 * complete, and records are sealed and opened by {@link RecordChannel} from then on.
 *
 * <pre>
 *   NEW, HANDSHAKE            OPEN ...
 *   [ MemoryEngine ] ──cut──▶ [ RecordEngine ]      or goes on as it is: {@link #cutOver()} says why
 * </pre>
 *
 * <p>The cut happens inside the call of {@link #handshake()} that returns DONE, with TLS 1.3 and with the AEAD suites of
 * TLS 1.2. Received bytes that libssl has not taken and tickets that wait to be sent move over; the addresses of
 * {@link #receiveAddress()} and {@link #sendAddress()} change, so ask again after that call. Every connection works either
 * way, with the same states, failures and alerts; what differs is memory, speed and this:
 *
 * <ul>
 *   <li>A peer that asks to renegotiate is declined by a warning, after which the connection goes on.
 *   <li>Keys are updated before the AEAD's limit ({@link RecordChannel#sealingLimit}); libssl leaves that to its user.
 *   <li>After our close_notify no alert follows, and a {@link TlsFailure} then names none.
 * </ul>
 *
 * <p>Confined to the thread of its {@link DirectPath}. The secrets lie in one piece of native memory that this engine
 * owns: filled by the key log inside {@link #handshake()}, wiped and freed by {@link #close()}, or at once when the
 * connection stays with libssl. Between calls it leases a buffer of the path for received bytes that are not read, for a
 * receive that is under way, and for bytes that are not sent; none at rest.
 */
public final class DirectEngine implements BufferedEngine {
    private final DirectPath path;
    private @Nullable MemoryEngine libssl;
    private @Nullable RecordEngine records;
    private @Nullable MemorySegment keys;
    private @Nullable CutOver outcome;
    private boolean endOfStream;
    private boolean handedOver;

    /** Whether the handshake had more to send than its ring holds, the last time that it went on. */
    private boolean ringWasFull;

    private DirectEngine(DirectPath path, MemoryEngine libssl, MemorySegment keys) {
        this.path = path;
        this.libssl = libssl;
        this.keys = keys;
    }

    /**
     * Makes a server's engine. Its owner closes it.
     *
     * @param context retained by the engine until it leaves libssl, or its close
     * @param path of the loop that the connection lives on; closed after the engine
     */
    public static DirectEngine server(SharedContext context, DirectPath path) {
        MemoryEngine libssl = MemoryEngine.server(context);
        MemorySegment keys = DirectKeys.allocate(path);
        libssl.ssl().logKeysTo(keys.address());
        return new DirectEngine(path, libssl, keys);
    }

    /** Whether the connection has left libssl, and if not, why; null before its handshake is complete. */
    public @Nullable CutOver cutOver() {
        return outcome;
    }

    /**
     * The connection's records, to ask for key updates or to open and seal them in the caller's own memory; null while
     * libssl has them. Belongs to the engine, and is not to be used after its {@link #close()}.
     */
    public @Nullable RecordChannel channel() {
        return records == null ? null : records.channel();
    }

    /** Received bytes at {@link #unreadAddress()} that no record was opened of: only after the cut. */
    public int unreadLength() {
        return records == null ? 0 : records.unreadLength();
    }

    /** Where those bytes lie, until the next call. */
    public long unreadAddress() {
        return records == null ? 0 : records.unreadAddress();
    }

    /**
     * Gives the connection to somebody who has buffers of their own. The engine is closed then, and must not be used again.
     *
     * @return the connection's records, the caller's to close; null, and no change, while libssl has them
     * @throws IllegalStateException when bytes wait to be sent: copy them first
     */
    public @Nullable DirectRecords handOver() {
        RecordEngine from = records;
        if (from == null) {
            return null;
        }
        if (from.sendLength() > 0) {
            throw new IllegalStateException(from.sendLength() + " bytes wait to be sent; take them before handOver()");
        }
        handedOver = true;
        return from.handOver();
    }

    private BufferedEngine current() {
        return records != null ? records : Objects.requireNonNull(libssl);
    }

    // ---- the cut

    @Override
    public int handshake() {
        MemoryEngine before = libssl;
        if (before == null || outcome != null) {
            return current().handshake();
        }
        // Nothing of the server's flight can wait when the client's Finished has come: what is there now are tickets.
        // All of them, unless the ring was full of tickets before.
        boolean nothingWaited = before.sendLength() == 0 && !ringWasFull;
        int status = before.handshake();
        ringWasFull = status == EngineStatus.WANT_WRITE;
        if (status == EngineStatus.DONE) {
            outcome = cut(before, nothingWaited);
            path.counted(outcome);
            if (outcome != CutOver.DIRECT) {
                before.ssl().logKeysTo(0);
                freeKeys();
            }
        }
        return status;
    }

    private CutOver cut(MemoryEngine from, boolean nothingWaited) {
        HandshakeInfo info = Objects.requireNonNull(from.handshakeInfo());
        MemorySegment block = Objects.requireNonNull(keys);
        CipherSuite suite = CipherSuite.byName(info.cipher());
        if (suite == null) {
            return CutOver.SUITE;
        }
        int needed = suite.isTls13()
                ? ConnectionKeys.CLIENT_SECRET | ConnectionKeys.SERVER_SECRET
                : ConnectionKeys.MASTER_SECRET;
        if (!ConnectionKeys.has(block.address(), needed)) {
            return CutOver.SECRETS_MISSING;
        }
        Ssl ssl = from.ssl();
        if (!nothingWaited
                || from.isLent()
                || ssl.pending() > 0
                || ssl.hasPending()
                || from.pair().unread() > path.bufferBytes()) {
            return CutOver.BYTES_HELD;
        }
        if (suite.isTls13()) {
            path.resources().schedule().deriveKeys(suite, ConnectionKeys.opening(block.address()));
            path.resources().schedule().deriveKeys(suite, ConnectionKeys.sealing(block.address()));
            TrafficKeys.sequence(
                    ConnectionKeys.sealing(block.address()), records(from.sendAddress(), from.sendLength()));
        } else {
            deriveKeys12(ssl, suite, block.address());
        }
        takeOver(from, suite, block, info);
        return CutOver.DIRECT;
    }

    /** TLS 1.2: both Finished were sequence number 0. */
    private void deriveKeys12(Ssl ssl, CipherSuite suite, long block) {
        MemorySegment randoms = path.allocator().allocate(Ssl.RANDOMS_BYTES, Long.BYTES);
        ssl.randoms(randoms.address());
        long master = ConnectionKeys.masterSecret(block);
        path.resources()
                .schedule()
                .deriveKeys12(
                        suite, master, randoms.address(), ConnectionKeys.client(block), ConnectionKeys.server(block));
        path.allocator().free(randoms);
        RawMemory.zero(master, ConnectionKeys.MASTER_SECRET_BYTES);
        TrafficKeys.sequence(ConnectionKeys.opening(block), 1);
        TrafficKeys.sequence(ConnectionKeys.sealing(block), 1);
    }

    /** Records in a piece of memory that holds whole ones: here the tickets, each of which had a sequence number. */
    private static int records(long address, int length) {
        int count = 0;
        for (int at = 0; at < length; count++) {
            at += RecordProtector.HEADER_BYTES + (RawMemory.getShortBigEndian(address + at + 3) & 0xFFFF);
        }
        return count;
    }

    private void takeOver(MemoryEngine from, CipherSuite suite, MemorySegment block, HandshakeInfo info) {
        RecordChannel channel = new RecordChannel(path.resources(), suite, block.address());
        RecordEngine to = new RecordEngine(path, new DirectRecords(path, channel, block), info);
        for (int unsent = from.sendLength(); unsent > 0; unsent = from.sendLength()) {
            to.inheritOutgoing(from.sendAddress(), unsent);
            from.sent(unsent);
        }
        BioPair pair = from.pair();
        for (int unread = pair.unreadLength(); unread > 0; unread = pair.unreadLength()) {
            to.inherit(pair.unreadAddress(), unread);
            pair.takeUnread(unread);
        }
        if (endOfStream) {
            to.receivedEndOfStream();
        }
        from.ssl().pretendClosed();
        from.close();
        keys = null;
        libssl = null;
        records = to;
    }

    // ---- everything else is the current engine's

    @Override
    public EngineState state() {
        return current().state();
    }

    @Override
    public int read(long address, int capacity) {
        return current().read(address, capacity);
    }

    @Override
    public int write(long address, int length) {
        return current().write(address, length);
    }

    @Override
    public int closeOutput() {
        return current().closeOutput();
    }

    @Override
    public boolean hasPendingPlaintext() {
        return current().hasPendingPlaintext();
    }

    @Override
    public @Nullable HandshakeInfo handshakeInfo() {
        return current().handshakeInfo();
    }

    @Override
    public @Nullable TlsSession session() {
        return current().session();
    }

    @Override
    public @Nullable TlsFailure failure() {
        return current().failure();
    }

    @Override
    public int receiveCapacity() {
        return current().receiveCapacity();
    }

    @Override
    public long receiveAddress() {
        return current().receiveAddress();
    }

    @Override
    public void received(int count) {
        current().received(count);
    }

    @Override
    public void receivedEndOfStream() {
        endOfStream = true;
        current().receivedEndOfStream();
    }

    @Override
    public int sendLength() {
        return current().sendLength();
    }

    @Override
    public long sendAddress() {
        return current().sendAddress();
    }

    @Override
    public void sent(int count) {
        current().sent(count);
    }

    @Override
    public void close() {
        if (!handedOver) {
            current().close();
            freeKeys();
        }
    }

    private void freeKeys() {
        MemorySegment block = keys;
        if (block != null) {
            keys = null;
            DirectKeys.free(path, block);
        }
    }
}
