package dev.sluice.tls.engine;

import dev.sluice.ffi.openssl.Ssl;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.failure.TlsFailure;
import org.jspecify.annotations.Nullable;

/**
 * A connection in libssl whose owner decides about certificates, and detaches it from libssl at a moment of its choice:
 * after the handshake, when everything is sent.
 *
 * <pre>
 *   handshake(delegate) until DONE, with the bytes of both directions in rings
 *   read, write, detach until it returns the records, or {@link #mayDetach()} is false
 * </pre>
 *
 * <p>A TLS 1.3 client waits for a session ticket first, as in {@link DirectEngine}. Confined to one thread at a time.
 * Keeps no reference to the delegate between calls, so that an owner which is dropped can be collected.
 */
public final class HandshakeEngine implements AutoCloseable {
    private static final long NO_KEYS = 0;

    /** The steps from the handshake to the records. */
    private enum Step {
        HANDSHAKE,
        /** A TLS 1.3 client reads until its ticket has come. */
        TICKET_AWAITED,
        /** The connection detaches as soon as everything is sent. */
        READY,
        /** The connection stays in libssl. */
        STAYS,
        DETACHED
    }

    private final LoopCrypto crypto;
    private final MemoryEngine libssl;
    private final boolean client;
    private long keys;
    private @Nullable TicketWait wait;
    private Step step = Step.HANDSHAKE;

    /** Knows the records of the handshake; null unless {@link Step#READY}. */
    private @Nullable Detachment prepared;

    /** The number of records that a TLS 1.3 server has sealed with its application key in libssl: tickets. */
    private int ticketRecords;

    private boolean ringWasFull;

    private HandshakeEngine(LoopCrypto crypto, MemoryEngine libssl, boolean client) {
        this.crypto = crypto;
        this.libssl = libssl;
        this.client = client;
        try {
            keys = crypto.keys().take(!client);
            libssl.ssl().logKeysTo(keys);
            libssl.count(ProtectedRecords.ofStream());
            wait = client ? new TicketWait(libssl.ssl()) : null;
        } catch (Throwable t) {
            close();
            throw t;
        }
    }

    /** Creates a server's engine. The caller closes it. */
    public static HandshakeEngine server(TlsContext context, LoopCrypto crypto) {
        return new HandshakeEngine(crypto, MemoryEngine.server(context), false);
    }

    /**
     * Creates a client's engine. The caller closes it.
     *
     * @param serverName the name to send by SNI; "" for none
     * @param session session to offer, which the caller keeps; null for none
     */
    public static HandshakeEngine client(
            TlsContext context, String serverName, @Nullable TlsSession session, LoopCrypto crypto) {
        MemoryEngine libssl = session == null
                ? MemoryEngine.client(context, serverName)
                : MemoryEngine.client(context, serverName, session);
        return new HandshakeEngine(crypto, libssl, true);
    }

    /** Returns the connection in libssl, for questions about the handshake; not after the detach. */
    public Ssl ssl() {
        return libssl.ssl();
    }

    /** Returns the server name of SNI; "" for none. */
    public String serverName() {
        return libssl.serverName();
    }

    /** Returns the state of the connection. */
    public EngineState state() {
        return libssl.state();
    }

    /** Returns the failure; null when it has not failed. */
    public @Nullable TlsFailure failure() {
        return libssl.failure();
    }

    /** Returns the result of the handshake; null before it is complete. */
    public @Nullable HandshakeInfo handshakeInfo() {
        return libssl.handshakeInfo();
    }

    /** Returns a client's session if it can be resumed; the caller closes it. */
    public @Nullable TlsSession session() {
        return libssl.session();
    }

    /**
     * Continues the handshake as far as the received bytes allow. Everything waiting must have been sent.
     *
     * @return as {@link TlsEngine#handshake()}, or {@link EngineStatus#WANT_CERTIFICATE} or {@link
     *     EngineStatus#WANT_VERIFICATION}
     */
    public int handshake(HandshakeDelegate delegate) {
        boolean nothingWaited = libssl.sendLength() == 0 && !ringWasFull;
        int status = libssl.handshake(delegate);
        ringWasFull = status == EngineStatus.WANT_WRITE;
        if (step == Step.HANDSHAKE && nothingWaited && keys != NO_KEYS) {
            Detachment.noteFinished(keys, libssl.sendAddress(), libssl.sendLength());
        }
        if (status == EngineStatus.DONE && step == Step.HANDSHAKE) {
            established(nothingWaited);
        }
        return status;
    }

    private void established(boolean nothingWaited) {
        Detachment detachment = new Detachment(crypto, libssl, keys);
        libssl.count(null); // the count so far stays with the detachment
        if (detachment.obstacle() != null || !nothingWaited) {
            stay();
        } else if (wait != null && detachment.isTls13()) {
            wait.begin(libssl.ssl());
            step = Step.TICKET_AWAITED;
        } else {
            prepared = detachment;
            ticketRecords = detachment.isTls13() ? Detachment.records(libssl.sendAddress(), libssl.sendLength()) : 0;
            step = Step.READY;
        }
    }

    /** Keeps the connection in libssl. */
    private void stay() {
        step = Step.STAYS;
        prepared = null;
        libssl.ssl().logKeysTo(0);
        closeWait();
        freeKeys();
    }

    /** Returns whether {@link #detach} may still succeed. */
    public boolean mayDetach() {
        return step == Step.TICKET_AWAITED || step == Step.READY;
    }

    /** Returns whether application data may pass through libssl; if not, {@link #detach} comes first. */
    public boolean carriesData() {
        return step == Step.TICKET_AWAITED || step == Step.STAYS;
    }

    /**
     * Detaches the connection if it is complete and nothing is under way. This engine is closed then.
     *
     * @param keeper receives a client's session, if it can be resumed
     * @return the connection's records, which the caller closes; null when it stays in libssl, now or for good
     */
    public @Nullable DirectRecords detach(SessionKeeper keeper) {
        boolean due = step == Step.READY || (step == Step.TICKET_AWAITED && wait != null && wait.isOver());
        if (!due || libssl.state() != EngineState.OPEN) {
            return null;
        }
        Detachment detachment = prepared == null ? new Detachment(crypto, libssl, keys) : prepared;
        if (!detachment.isSilent()) {
            return null;
        }
        boolean clear = detachment.isFree() && libssl.pair().unread() == 0 && isBetweenMessages();
        if (clear || step == Step.READY) {
            giveSession(keeper);
        }
        if (!clear) {
            if (step == Step.READY) {
                stay(); // numbers would be wrong after the next record
            }
            return null;
        }
        DirectRecords records = detachNow(detachment).handOff(unsent -> {}, unread -> {});
        keys = NO_KEYS;
        step = Step.DETACHED;
        closeWait();
        return records;
    }

    private void giveSession(SessionKeeper keeper) {
        TlsSession session = client ? libssl.session() : null;
        if (session != null) {
            keeper.keep(session);
        }
    }

    private boolean isBetweenMessages() {
        return step == Step.READY || (wait != null && wait.isBetweenMessages(libssl.ssl()));
    }

    private RecordEngine detachNow(Detachment detachment) {
        if (step == Step.TICKET_AWAITED && wait != null) {
            return detachment.detach(wait);
        }
        return client && detachment.isTls13() ? detachment.detachAtOnce() : detachment.detach(ticketRecords);
    }

    // ---- bytes

    /** Decrypts into the caller's memory: see {@link TlsEngine#read}. */
    public int read(long address, int capacity) {
        return libssl.read(address, capacity);
    }

    /** Encrypts from the caller's memory: see {@link TlsEngine#write}. */
    public int write(long address, int length) {
        return libssl.write(address, length);
    }

    /** Sends close_notify: see {@link TlsEngine#closeOutput()}. */
    public int closeOutput() {
        return libssl.closeOutput();
    }

    /** Marks the end of the stream: see {@link BufferedEngine#receivedEndOfStream()}. */
    public void receivedEndOfStream() {
        libssl.receivedEndOfStream();
    }

    /** Returns the room for received bytes: see {@link BufferedEngine#receiveCapacity()}. */
    public int receiveCapacity() {
        return libssl.receiveCapacity();
    }

    /** Returns the destination of received bytes: see {@link BufferedEngine#receiveAddress()}. */
    public long receiveAddress() {
        return libssl.receiveAddress();
    }

    /** Accounts for received bytes: see {@link BufferedEngine#received}. */
    public void received(int count) {
        libssl.received(count);
    }

    /** Returns the number of bytes waiting to be sent: see {@link BufferedEngine#sendLength()}. */
    public int sendLength() {
        return libssl.sendLength();
    }

    /** Returns their address: see {@link BufferedEngine#sendAddress()}. */
    public long sendAddress() {
        return libssl.sendAddress();
    }

    /** Removes bytes that were sent. */
    public void sent(int count) {
        libssl.sent(count);
    }

    /** Frees all native state. Idempotent. */
    @Override
    public void close() {
        libssl.close();
        closeWait();
        freeKeys();
    }

    private void closeWait() {
        if (wait != null) {
            if (step == Step.STAYS) {
                wait.end(libssl.ssl());
            } else {
                wait.close();
            }
            wait = null;
        }
    }

    private void freeKeys() {
        if (keys != NO_KEYS) {
            crypto.keys().giveBack(keys);
            keys = NO_KEYS;
        }
    }
}
