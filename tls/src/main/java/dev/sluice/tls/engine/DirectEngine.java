package dev.sluice.tls.engine;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.memory.Slab;
import dev.sluice.tls.context.SharedContext;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.failure.TlsFailure;
import dev.sluice.tls.record.CryptoMeter.Phase;
import dev.sluice.tls.record.RecordChannel;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An engine that uses libssl for the handshake and then detaches from it: it frees the {@code SSL}, and {@link
 * RecordChannel} seals and opens the records from then on.
 *
 * <pre>
 *   NEW, HANDSHAKE            OPEN ...
 *   [ MemoryEngine ] ──detach──▶ [ RecordEngine ]      or stays as it is, see {@link #detached()}
 * </pre>
 *
 * <p>The detach happens inside the call of {@link #handshake()} that returns DONE: for a server, for a client with TLS
 * 1.2, whose session is complete by then, and for a client that needs no session. Any other TLS 1.3 client stays in
 * libssl until it has read a session ticket, or {@value TicketWait#MAX_RECORDS} records without one. It then detaches
 * inside the first {@link #read} after which libssl is between two records with nothing to send; later tickets are
 * ignored. {@link #session()} returns the last session before the detach while the engine is open, at the memory cost
 * of an OpenSSL session.
 *
 * <p>Received bytes that libssl has not read and unsent bytes are moved; the addresses of {@link #receiveAddress()} and
 * {@link #sendAddress()} change, so read them again after those calls. Supports TLS 1.3 and the AEAD suites of TLS 1.2.
 * Every connection works either way, with the same states, failures and alerts; the differences are memory, speed and:
 *
 * <ul>
 *   <li>A request to renegotiate is declined with a warning, and the connection continues.
 *   <li>Keys are updated before the AEAD's limit ({@link RecordChannel#sealingLimit}); libssl leaves that to its
 *       caller.
 *   <li>No alert follows our close_notify, and a {@link TlsFailure} then names none.
 * </ul>
 *
 * <p>Confined to the thread of its {@link LoopCrypto}. The secrets are in one piece of native memory that this engine
 * owns: filled by the key log inside {@link #handshake()}, wiped and freed by {@link #close()}, or immediately when the
 * connection stays in libssl. Between calls it leases a buffer of the loop for unread bytes, for a pending receive, and
 * for unsent bytes; none when idle.
 */
public final class DirectEngine implements BufferedEngine {
    private static final long NO_KEYS = 0;

    private final LoopCrypto crypto;
    private @Nullable MemoryEngine libssl;

    private @Nullable RecordEngine records;

    /**
     * The handshake without libssl; null where there is none, and when it is over. After a fallback it stays while a
     * receive into its buffer may be pending.
     */
    private @Nullable LeanEngine lean;

    /** Null ({@value #NO_KEYS}) once the records own them. */
    private long keys;

    private @Nullable Detach outcome;
    private final boolean client;

    /** True if a client needs a session to resume. */
    private final boolean sessionWanted;

    /** The consumer of the session; null for the caller of {@link #session()}. */
    private final @Nullable SessionKeeper keeper;

    /** Non-null while a client may wait for its ticket. */
    private @Nullable TicketWait wait;

    /** The session of a client after it detach. */
    private @Nullable TlsSession session;

    private boolean endOfStream;

    /** True if the handshake's last step filled the outgoing ring. */
    private boolean ringWasFull;

    /**
     * Creates an instance.
     *
     * @param libssl a new engine, owned from now on, even if this throws
     */
    private DirectEngine(
            LoopCrypto crypto,
            MemoryEngine libssl,
            boolean client,
            boolean sessionWanted,
            @Nullable SessionKeeper keeper) {
        this.crypto = crypto;
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

    /**
     * Creates a server that begins without libssl.
     *
     * @param buffer leased; owned from now on, even if this throws
     */
    private DirectEngine(LoopCrypto crypto, SharedContext context, Slab buffer) {
        this.crypto = crypto;
        this.client = false;
        this.sessionWanted = false;
        this.keeper = null;
        try {
            keys = crypto.keys().take(true);
            lean = new LeanEngine(crypto, context, keys, buffer);
        } catch (Throwable t) {
            buffer.release();
            freeKeys();
            throw t;
        }
    }

    private void prepare(MemoryEngine fresh) {
        keys = keys == NO_KEYS ? crypto.keys().take(!client) : keys;
        fresh.meter(crypto.meter());
        fresh.ssl().logKeysTo(keys);
        fresh.count(ProtectedRecords.ofStream());
        wait = sessionWanted ? new TicketWait(fresh.ssl()) : null;
    }

    /**
     * Creates a server's engine. The caller closes it.
     *
     * @param context retained until the detach or the close
     * @param crypto of the connection's event loop; closed after the engine
     */
    public static DirectEngine server(SharedContext context, LoopCrypto crypto) {
        boolean lean = context.entry().settings().lean() != null && crypto.hasBuffersToMove();
        Slab buffer = lean ? crypto.tryLease() : null;
        return buffer == null
                ? new DirectEngine(crypto, MemoryEngine.server(context), false, false, null)
                : new DirectEngine(crypto, context, buffer);
    }

    /**
     * Creates a client's engine. The caller closes it.
     *
     * @param host DNS name or IP address that the server's certificate must be for; "" only without verification
     * @param crypto of the connection's event loop; closed after the engine
     */
    public static DirectEngine client(TlsContext context, String host, LoopCrypto crypto) {
        return new DirectEngine(crypto, MemoryEngine.client(context, host), true, true, null);
    }

    /** Creates a client's engine that offers to resume a session, which the caller keeps. */
    public static DirectEngine client(TlsContext context, String host, TlsSession session, LoopCrypto crypto) {
        return new DirectEngine(crypto, MemoryEngine.client(context, host, session), true, true, null);
    }

    /**
     * Creates the engine of one of many connections to a server. Most of them need no session of their own, since the
     * offered one also serves later connections; those detach immediately after their handshake.
     *
     * @param host DNS name or IP address that the server's certificate must be for; "" only without verification
     * @param session session to offer, which the caller keeps; null for none
     * @param keeper receives the session of this connection; null if none is needed
     * @param crypto of the connection's event loop; closed after the engine
     */
    public static DirectEngine client(
            TlsContext context,
            String host,
            @Nullable TlsSession session,
            @Nullable SessionKeeper keeper,
            LoopCrypto crypto) {
        MemoryEngine libssl =
                session == null ? MemoryEngine.client(context, host) : MemoryEngine.client(context, host, session);
        return new DirectEngine(crypto, libssl, true, keeper != null, keeper);
    }

    /**
     * Returns the outcome of the detach; null before the handshake is complete. Final for a server; for a TLS 1.3
     * client it becomes {@link Detach#DIRECT} within a {@link #read}.
     */
    public @Nullable Detach detached() {
        return outcome;
    }

    /**
     * Returns the server name that the client requested by SNI, available after the ClientHello; "" before that and
     * after the detach.
     */
    public String serverName() {
        if (libssl != null) {
            return libssl.serverName();
        }
        return lean == null ? "" : lean.serverName();
    }

    /**
     * Returns the connection's record channel, for key updates or for sealing and opening in the caller's memory; null
     * while libssl holds the connection. Owned by the engine and invalid after its {@link #close()}.
     */
    public @Nullable RecordChannel channel() {
        return records == null ? null : records.channel();
    }

    /**
     * Transfers the connection to an owner with its own buffers. The engine is closed then, and must not be used again.
     *
     * @param unsent receives ownership of the buffer whose window must be sent first, if there is one
     * @param unread receives ownership of the buffer with received, unopened bytes, if there is one
     * @return the connection's records, which the caller closes; null, without any change, while libssl holds them
     */
    public @Nullable DirectRecords handOff(Consumer<Slab> unsent, Consumer<Slab> unread) {
        RecordEngine from = records;
        if (from == null) {
            return null;
        }
        records = null; // the new owner's, like everything else
        closeSession();
        return from.handOff(unsent, unread);
    }

    /** Returns the engine over libssl; null after the detach. */
    @Nullable
    MemoryEngine libssl() {
        return libssl;
    }

    /** Returns the handshake without libssl; null where there is none, and when it is over. */
    @Nullable
    LeanEngine lean() {
        return lean;
    }

    private BufferedEngine current() {
        if (records != null) {
            return records;
        }
        return libssl != null ? libssl : Objects.requireNonNull(lean);
    }

    // ---- detach

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

    /**
     * Continues the handshake.
     *
     * @param earlyCapacity 0 without early data
     */
    private int advance(long earlyAddress, int earlyCapacity) {
        if (lean != null && !lean.isLeft()) {
            int status = advanceLean(lean);
            if (status != LeanEngine.FALL_BACK) {
                return status;
            }
        }
        MemoryEngine before = libssl;
        if (before == null || outcome != null) {
            return current().handshake();
        }
        // *Our flight cannot be waiting when the peer's Finished has arrived: everything unsent was written in this
        // call, unless the ring was full before.
        boolean nothingWaited = before.sendLength() == 0 && !ringWasFull;
        int status = earlyCapacity == 0 ? before.handshake() : before.handshake(earlyAddress, earlyCapacity);
        ringWasFull = status == EngineStatus.WANT_WRITE;
        if (nothingWaited && keys != NO_KEYS) {
            Detachment.noteFinished(keys, before.sendAddress(), before.sendLength());
        }
        if (status == EngineStatus.DONE) {
            established(before, nothingWaited);
        }
        return status;
    }

    private int advanceLean(LeanEngine engine) {
        int status = engine.handshake();
        if (status == EngineStatus.DONE) {
            boolean resumed = Objects.requireNonNull(engine.handshakeInfo()).resumed();
            crypto.meter().add(resumed ? Phase.DERIVE : Phase.ASYMMETRIC, engine.cpuNanos());
            records = engine.finish();
            keys = NO_KEYS; // owned by the records from now on
            lean = null;
            if (endOfStream) {
                records.receivedEndOfStream();
            }
            outcome = Detach.DIRECT;
            crypto.counted(outcome);
        } else if (status == LeanEngine.FALL_BACK) {
            continueInLibssl(engine);
        }
        return status;
    }

    /** Lets libssl handle what was received from the start; nothing was sent yet. */
    private void continueInLibssl(LeanEngine engine) {
        MemoryEngine fresh = MemoryEngine.server(engine.origin());
        libssl = fresh;
        prepare(fresh);
        int unread = Math.min(engine.unread(), fresh.receiveCapacity());
        RawMemory.copy(engine.unreadAddress(), fresh.receiveAddress(), unread);
        fresh.received(unread);
        if (endOfStream) {
            fresh.receivedEndOfStream();
        }
        if (!engine.isLent()) {
            closeLean();
        }
    }

    private void closeLean() {
        if (lean != null) {
            lean.close();
            lean = null;
        }
    }

    private void established(MemoryEngine from, boolean nothingWaited) {
        boolean resumed = Objects.requireNonNull(from.handshakeInfo()).resumed();
        crypto.meter().add(resumed ? Phase.DERIVE : Phase.ASYMMETRIC, from.handshakeCpuNanos());
        Detachment detachment = new Detachment(crypto, from, keys);
        from.count(null);
        Detach obstacle = detachment.obstacle();
        if (obstacle != null) {
            stay(from, obstacle);
        } else if (wait != null && detachment.isTls13()) {
            wait.begin(from.ssl());
            outcome = Detach.TICKET_AWAITED;
        } else if (nothingWaited && detachment.isFree()) {
            takeSession(from);
            long begin = from.cpuBegin();
            detachTo(client && detachment.isTls13() ? detachment.detachAtOnce() : detachment.detach());
            crypto.meter().add(Phase.DERIVE, from.cpuSince(begin));
        } else {
            stay(from, crypto.hasBuffersToMove() ? Detach.BYTES_HELD : Detach.NO_BUFFER);
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

    /** Keeps the connection in libssl for good. */
    private void stay(MemoryEngine in, Detach why) {
        outcome = why;
        crypto.counted(why);
        in.ssl().logKeysTo(0);
        if (wait != null) {
            wait.end(in.ssl());
            wait = null;
        }
        freeKeys();
    }

    private void detachTo(RecordEngine to) {
        if (endOfStream) {
            to.receivedEndOfStream();
        }
        records = to;
        libssl = null;
        keys = NO_KEYS; // owned by the records from now on
        closeWait();
        outcome = Detach.DIRECT;
        crypto.counted(outcome);
    }

    @Override
    public int read(long address, int capacity) {
        int status = current().read(address, capacity);
        MemoryEngine before = libssl;
        TicketWait waited = wait;
        if (before != null && waited != null && before.state() == EngineState.OPEN && waited.isOver()) {
            detachBetweenMessages(before, waited);
        }
        return status;
    }

    private void detachBetweenMessages(MemoryEngine from, TicketWait waited) {
        Detachment detachment = new Detachment(crypto, from, keys);
        if (waited.isBetweenMessages(from.ssl()) && detachment.isSilent() && detachment.isFree()) {
            takeSession(from);
            detachTo(detachment.detach(waited));
        } else {
            outcome = Detach.BYTES_HELD;
        }
    }

    // ---- delegation to the current engine

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
        return lean != null && libssl != null
                ? Math.min(lean.receiveCapacity(), libssl.receiveCapacity())
                : current().receiveCapacity();
    }

    @Override
    public long receiveAddress() {
        return lean != null ? lean.receiveAddress() : current().receiveAddress();
    }

    @Override
    public void received(int count) {
        if (lean != null && libssl != null) {
            int taken = Math.min(count, libssl.receiveCapacity());
            RawMemory.copy(lean.receiveAddress(), libssl.receiveAddress(), taken);
            closeLean();
        }
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
        if (records == null && libssl == null && lean == null) {
            return; // handed off
        }
        if (lean != null) {
            crypto.meter().add(Phase.OTHER, lean.cpuNanos());
            if (libssl != null) {
                closeLean();
            }
        }
        if (outcome == null && libssl != null) {
            crypto.meter().add(Phase.OTHER, libssl.handshakeCpuNanos());
        }
        current().close();
        if (wait != null && outcome != null) {
            crypto.counted(outcome);
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
            crypto.keys().giveBack(keys);
            keys = NO_KEYS;
        }
    }
}
