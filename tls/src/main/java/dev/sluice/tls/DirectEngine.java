package dev.sluice.tls;

import dev.sluice.memory.Slab;
import dev.sluice.tls.record.CryptoMeter.Phase;
import dev.sluice.tls.record.RecordChannel;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An engine that lets libssl do the handshake and then leaves it: the {@code SSL} is freed, and records are sealed and
 * opened by {@link RecordChannel} from then on.
 *
 * <pre>
 *   NEW, HANDSHAKE            OPEN ...
 *   [ MemoryEngine ] ──cut──▶ [ RecordEngine ]      or goes on as it is: {@link #cutOver()} says why
 * </pre>
 *
 * <p>The cut happens inside the call of {@link #handshake()} that returns DONE: of a server, of a client with TLS 1.2,
 * where the session is complete by then, and of one that wants no session. Any other TLS 1.3 client stays with libssl until it has read a session ticket, or
 * {@value TicketWait#MAX_RECORDS} records without one, and leaves inside the {@link #read} after which libssl is between two
 * records with nothing to send; tickets that come later are passed over. {@link #session()} gives the last one before the
 * cut, for as long as the engine is open, which costs what a session of OpenSSL costs.
 *
 * <p>Received bytes that libssl has not taken and what waits to be sent move over; the addresses of
 * {@link #receiveAddress()} and {@link #sendAddress()} change, so ask again after those calls. Works with TLS 1.3 and the
 * AEAD suites of TLS 1.2. Every connection works either way, with the same states, failures and alerts; what differs is
 * memory, speed and this:
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
    private static final long NO_KEYS = 0;

    private final DirectPath path;
    private @Nullable MemoryEngine libssl;
    private @Nullable RecordEngine records;

    /** Until they are the records'; {@value #NO_KEYS} then. */
    private long keys;

    private @Nullable CutOver outcome;
    private final boolean client;

    /** Whether a client is to have a session to resume. */
    private final boolean sessionWanted;

    /** Who takes it; null: whoever asks {@link #session()}. */
    private final @Nullable SessionKeeper keeper;

    /** While a client may still wait for its ticket. */
    private @Nullable TicketWait wait;

    /** What a client can resume, after the cut. */
    private @Nullable TlsSession session;

    private boolean endOfStream;
    private boolean handedOver;

    /** Whether the handshake had more to send than its ring holds, the last time that it went on. */
    private boolean ringWasFull;

    /** @param libssl fresh; the engine's from now on, also when this throws */
    private DirectEngine(
            DirectPath path,
            MemoryEngine libssl,
            boolean client,
            boolean sessionWanted,
            @Nullable SessionKeeper keeper) {
        this.path = path;
        this.libssl = libssl;
        this.client = client;
        this.sessionWanted = sessionWanted;
        this.keeper = keeper;
        try {
            prepare(libssl);
        } catch (Throwable t) {
            close();
            throw t;
        }
    }

    private void prepare(MemoryEngine fresh) {
        keys = path.keys().take(!client);
        fresh.meter(path.meter());
        fresh.ssl().logKeysTo(keys);
        fresh.count(ProtectedRecords.ofStream());
        wait = sessionWanted ? new TicketWait(fresh.ssl()) : null;
    }

    /**
     * Makes a server's engine. Its owner closes it.
     *
     * @param context retained by the engine until it leaves libssl, or its close
     * @param path of the loop that the connection lives on; closed after the engine
     */
    public static DirectEngine server(SharedContext context, DirectPath path) {
        return new DirectEngine(path, MemoryEngine.server(context), false, false, null);
    }

    /**
     * Makes a client's engine. Its owner closes it.
     *
     * @param host DNS name or IP address that the server's certificate must be for; "" only where nothing is verified
     * @param path of the loop that the connection lives on; closed after the engine
     */
    public static DirectEngine client(TlsContext context, String host, DirectPath path) {
        return new DirectEngine(path, MemoryEngine.client(context, host), true, true, null);
    }

    /** Makes a client's engine that offers to resume a session, which stays the caller's. */
    public static DirectEngine client(TlsContext context, String host, TlsSession session, DirectPath path) {
        return new DirectEngine(path, MemoryEngine.client(context, host, session), true, true, null);
    }

    /**
     * Makes the engine of one of many connections to a server, most of which need no session of their own, since the one that
     * they offer serves the next ones too. Those leave libssl right behind their handshake.
     *
     * @param host DNS name or IP address that the server's certificate must be for; "" only where nothing is verified
     * @param session to offer, which stays the caller's; null: none
     * @param keeper given the session that this connection makes; null: none is wanted
     * @param path of the loop that the connection lives on; closed after the engine
     */
    public static DirectEngine client(
            TlsContext context,
            String host,
            @Nullable TlsSession session,
            @Nullable SessionKeeper keeper,
            DirectPath path) {
        MemoryEngine libssl =
                session == null ? MemoryEngine.client(context, host) : MemoryEngine.client(context, host, session);
        return new DirectEngine(path, libssl, true, keeper != null, keeper);
    }

    /**
     * Whether the connection has left libssl, and if not, why; null before its handshake is complete. Final for a server;
     * a TLS 1.3 client's becomes {@link CutOver#DIRECT} within a {@link #read}.
     */
    public @Nullable CutOver cutOver() {
        return outcome;
    }

    /** What the client of a server's engine has asked for by SNI, as soon as its ClientHello is read; "" before, and after the cut. */
    public String serverName() {
        return libssl == null ? "" : libssl.serverName();
    }

    /**
     * The connection's records, to ask for key updates or to open and seal them in the caller's own memory; null while
     * libssl has them. Belongs to the engine, and is not to be used after its {@link #close()}.
     */
    public @Nullable RecordChannel channel() {
        return records == null ? null : records.channel();
    }

    /**
     * Gives the connection to somebody who has buffers of their own. The engine is closed then, and must not be used again.
     *
     * @param unsent told of the buffer whose window must be sent before anything else, if there is one: the callee's
     * @param unread told of the buffer whose window was received and not opened, if there is one: the callee's
     * @return the connection's records, the caller's to close; null, and no change, while libssl has them
     */
    public @Nullable DirectRecords handOver(Consumer<Slab> unsent, Consumer<Slab> unread) {
        RecordEngine from = records;
        if (from == null) {
            return null;
        }
        handedOver = true;
        closeSession();
        return from.handOver(unsent, unread);
    }

    /** The engine over libssl; null once it is left. */
    @Nullable
    MemoryEngine libssl() {
        return libssl;
    }

    private BufferedEngine current() {
        return records != null ? records : Objects.requireNonNull(libssl);
    }

    // ---- the cut

    @Override
    public int handshake() {
        return advance(0, 0);
    }

    @Override
    public int handshake(long earlyAddress, int earlyCapacity) {
        return advance(earlyAddress, earlyCapacity);
    }

    @Override
    public @Nullable EarlyData earlyData() {
        return libssl == null ? null : libssl.earlyData();
    }

    /** @param earlyCapacity 0: without early data */
    private int advance(long earlyAddress, int earlyCapacity) {
        MemoryEngine before = libssl;
        if (before == null || outcome != null) {
            return current().handshake();
        }
        // Nothing of our flight can wait when the peer's Finished has come: what is there now was written in this call.
        // All of it, unless the ring was full before.
        boolean nothingWaited = before.sendLength() == 0 && !ringWasFull;
        int status = earlyCapacity == 0 ? before.handshake() : before.handshake(earlyAddress, earlyCapacity);
        ringWasFull = status == EngineStatus.WANT_WRITE;
        if (nothingWaited && keys != NO_KEYS) {
            Handover.noteFinished(keys, before.sendAddress(), before.sendLength());
        }
        if (status == EngineStatus.DONE) {
            established(before, nothingWaited);
        }
        return status;
    }

    private void established(MemoryEngine from, boolean nothingWaited) {
        boolean resumed = Objects.requireNonNull(from.handshakeInfo()).resumed();
        path.meter().add(resumed ? Phase.DERIVE : Phase.ASYMMETRIC, from.handshakeCpuNanos());
        Handover handover = new Handover(path, from, keys);
        from.count(null);
        CutOver obstacle = handover.obstacle();
        if (obstacle != null) {
            stay(from, obstacle);
        } else if (wait != null && handover.isTls13()) {
            wait.begin(from.ssl());
            outcome = CutOver.TICKET_AWAITED;
        } else if (nothingWaited && handover.isFree()) {
            takeSession(from);
            long begin = from.cpuBegin();
            leaveTo(client && handover.isTls13() ? handover.leaveAtOnce() : handover.leave());
            path.meter().add(Phase.DERIVE, from.cpuSince(begin));
        } else {
            stay(from, path.hasBuffersToMove() ? CutOver.BYTES_HELD : CutOver.NO_BUFFER);
        }
    }

    private void takeSession(MemoryEngine from) {
        TlsSession made = sessionWanted ? from.session() : null;
        if (made != null && keeper != null) {
            keeper.keep(made);
        } else {
            session = made;
        }
    }

    /** For good. */
    private void stay(MemoryEngine in, CutOver why) {
        outcome = why;
        path.counted(why);
        in.ssl().logKeysTo(0);
        if (wait != null) {
            wait.end(in.ssl());
            wait = null;
        }
        freeKeys();
    }

    private void leaveTo(RecordEngine to) {
        if (endOfStream) {
            to.receivedEndOfStream();
        }
        records = to;
        libssl = null;
        keys = NO_KEYS; // they are the records' from now on
        closeWait();
        outcome = CutOver.DIRECT;
        path.counted(outcome);
    }

    @Override
    public int read(long address, int capacity) {
        int status = current().read(address, capacity);
        MemoryEngine before = libssl;
        TicketWait waited = wait;
        if (before != null && waited != null && before.state() == EngineState.OPEN && waited.isOver()) {
            leaveBetweenRecords(before, waited);
        }
        return status;
    }

    private void leaveBetweenRecords(MemoryEngine from, TicketWait waited) {
        Handover handover = new Handover(path, from, keys);
        if (waited.isBetweenRecords(from.ssl()) && handover.isSilent() && handover.isFree()) {
            takeSession(from);
            leaveTo(handover.leave(waited));
        } else {
            outcome = CutOver.BYTES_HELD;
        }
    }

    // ---- everything else is the current engine's

    @Override
    public EngineState state() {
        return current().state();
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
        if (records == null || !client) {
            return current().session();
        }
        return session == null ? null : session.share();
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
        if (handedOver) {
            return;
        }
        if (outcome == null && libssl != null) {
            path.meter().add(Phase.OTHER, libssl.handshakeCpuNanos());
        }
        current().close();
        if (wait != null && outcome != null) {
            path.counted(outcome);
        }
        closeWait();
        closeSession();
        freeKeys();
    }

    private void closeWait() {
        if (wait != null) {
            wait.close();
            wait = null;
        }
    }

    private void closeSession() {
        if (session != null) {
            session.close();
            session = null;
        }
    }

    private void freeKeys() {
        if (keys != NO_KEYS) {
            path.keys().giveBack(keys);
            keys = NO_KEYS;
        }
    }
}
