package dev.sluice.tls.engine;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.BioPair;
import dev.sluice.ffi.openssl.Ssl;
import dev.sluice.tls.record.CipherSuite;
import dev.sluice.tls.record.ConnectionKeys;
import dev.sluice.tls.record.ContentType;
import dev.sluice.tls.record.RecordAssembly;
import dev.sluice.tls.record.RecordChannel;
import dev.sluice.tls.record.RecordProtector;
import dev.sluice.tls.record.TrafficKeys;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The detach of one established connection from libssl: its conditions, keys and sequence numbers, and the bytes in
 * transit.
 */
final class Detachment {
    private final LoopCrypto crypto;
    private final MemoryEngine from;
    private final long keys;
    private final HandshakeInfo info;
    private final @Nullable ProtectedRecords received;
    private final @Nullable CipherSuite suite;

    /**
     * Prepares the detach; changes nothing.
     *
     * @param from has completed its handshake; with TLS 1.2 it must have counted the peer's records
     * @param keys filled by the key log
     */
    Detachment(LoopCrypto crypto, MemoryEngine from, long keys) {
        this.crypto = crypto;
        this.from = from;
        this.keys = keys;
        this.received = from.counted();
        this.info = Objects.requireNonNull(from.handshakeInfo());
        this.suite = CipherSuite.byName(info.cipher());
    }

    /** Returns whether the connection uses TLS 1.3 with a supported suite. */
    boolean isTls13() {
        return suite != null && suite.isTls13();
    }

    /** Returns the permanent obstacle to a detach; null when there is none. */
    @Nullable
    Detach obstacle() {
        if (suite == null) {
            return Detach.SUITE;
        }
        int needed = suite.isTls13()
                ? ConnectionKeys.CLIENT_SECRET | ConnectionKeys.SERVER_SECRET
                : ConnectionKeys.MASTER_SECRET;
        return ConnectionKeys.has(keys, needed) ? null : Detach.SECRETS_MISSING;
    }

    /**
     * Returns whether, right after the handshake, libssl holds no bytes that would be lost and its memory is not in
     * use.
     */
    boolean isFree() {
        Ssl ssl = from.ssl();
        boolean numbersKnown = isTls13() || (received != null && !received.isLost() && nonceIsKnown());
        return numbersKnown
                && !from.isLent()
                && ssl.pending() == 0
                && !ssl.hasPending()
                && from.pair().unread() <= crypto.bufferBytes()
                && crypto.hasBuffersToMove();
    }

    /** Returns whether libssl has nothing to send either. */
    boolean isSilent() {
        return from.pair().unsent() == 0;
    }

    /** Detaches right after the handshake: a server, or any side of TLS 1.2. */
    RecordEngine detach() {
        return detach(isTls13() ? records(from.sendAddress(), from.sendLength()) : 0);
    }

    /**
     * Detaches a server, or any side of TLS 1.2, before any data.
     *
     * @param tickets the records that a TLS 1.3 server has sealed since the handshake
     */
    RecordEngine detach(int tickets) {
        CipherSuite carried = Objects.requireNonNull(suite);
        long block = keys;
        if (carried.isTls13()) {
            crypto.resources().schedule().deriveKeys(carried, ConnectionKeys.opening(block));
            crypto.resources().schedule().deriveKeys(carried, ConnectionKeys.sealing(block));
            TrafficKeys.sequence(ConnectionKeys.sealing(block), from.recordsBeforeFinished() + tickets);
        } else {
            deriveKeys12(carried);
        }
        return takeOver(carried);
    }

    /**
     * Detaches a TLS 1.3 client right after the handshake. Unsent bytes are handshake records, which have their own
     * numbers and keys.
     */
    RecordEngine detachAtOnce() {
        CipherSuite carried = Objects.requireNonNull(suite);
        crypto.resources().schedule().deriveKeys(carried, ConnectionKeys.opening(keys));
        crypto.resources().schedule().deriveKeys(carried, ConnectionKeys.sealing(keys));
        return takeOver(carried);
    }

    /** Detaches a TLS 1.3 client at libssl's position after a ticket wait. */
    RecordEngine detach(TicketWait wait) {
        CipherSuite carried = Objects.requireNonNull(suite);
        wait.deriveKeys(crypto.resources().schedule(), carried, keys);
        boolean updateOwed = from.ssl().owesKeyUpdate();
        RecordEngine to = takeOver(carried);
        if (updateOwed) {
            to.channel().updateKey();
        }
        return to;
    }

    private boolean nonceIsKnown() {
        int headroom = crypto.resources()
                .protector(Objects.requireNonNull(suite).aead())
                .headroom12();
        boolean explicit = headroom > RecordProtector.HEADER_BYTES;
        return !explicit || ConnectionKeys.has(keys, ConnectionKeys.FINISHED_NONCE);
    }

    /**
     * Derives the keys of TLS 1.2. Our Finished was sequence number 0; the peer's number follows once it is known which
     * records were read.
     */
    private void deriveKeys12(CipherSuite carried) {
        long block = keys;
        long master = ConnectionKeys.masterSecret(block);
        MemorySegment randoms = crypto.allocator().allocate(Ssl.RANDOMS_BYTES, Long.BYTES);
        try {
            from.ssl().randoms(randoms.address());
            crypto.resources()
                    .schedule()
                    .deriveKeys12(
                            carried,
                            master,
                            randoms.address(),
                            ConnectionKeys.client(block),
                            ConnectionKeys.server(block));
            keepForExports(block, master, randoms.address());
        } finally {
            crypto.allocator().free(randoms);
        }
        RawMemory.zero(master, ConnectionKeys.MASTER_SECRET_BYTES);
        TrafficKeys.sequence(ConnectionKeys.sealing(block), 1);
    }

    private static void keepForExports(long block, long master, long randoms) {
        if (ConnectionKeys.isExporting(block)) {
            RawMemory.copy(master, ConnectionKeys.exporterSecret(block), ConnectionKeys.MASTER_SECRET_BYTES);
            RawMemory.copy(randoms, ConnectionKeys.exporterRandoms(block), Ssl.RANDOMS_BYTES);
            ConnectionKeys.found(block, ConnectionKeys.EXPORTER_SECRET);
        }
    }

    /** Counts the records in memory that holds whole ones: here the tickets, each with a sequence number. */
    static int records(long address, int length) {
        int count = 0;
        for (int at = 0; at < length; count++) {
            at += RecordAssembly.recordBytes(address + at);
        }
        return count;
    }

    /**
     * Notes the explicit nonce of libssl's TLS 1.2 Finished, if it is in a flight: libssl chose it at random, and no
     * other record under the same key may use it, so our nonces continue from it, as libssl's would.
     *
     * @param block the connection's {@link ConnectionKeys}
     * @param flight address of records; the last may be truncated if the flight exceeds the ring
     */
    static void noteFinished(long block, long flight, int length) {
        boolean protectedFromHere = false;
        int nonceEnd = RecordProtector.HEADER_BYTES + RecordProtector.EXPLICIT_NONCE_BYTES;
        for (int at = 0; at + nonceEnd <= length; at += RecordAssembly.recordBytes(flight + at)) {
            int type = RawMemory.getByte(flight + at) & 0xFF;
            if (protectedFromHere && type == ContentType.HANDSHAKE) {
                long nonce = RawMemory.getLong(flight + at + RecordProtector.HEADER_BYTES);
                TrafficKeys.explicitNonceBase(ConnectionKeys.sealing(block), Long.reverseBytes(nonce));
                ConnectionKeys.found(block, ConnectionKeys.FINISHED_NONCE);
                return;
            }
            protectedFromHere = type == ContentType.CHANGE_CIPHER_SPEC;
        }
    }

    /** Moves what is under way, and frees the {@code SSL}. When that fails, the keys stay whose they were. */
    private RecordEngine takeOver(CipherSuite carried) {
        RecordChannel channel = new RecordChannel(crypto.resources(), carried, keys);
        int agreed = from.ssl().maxFragmentBytes();
        if (agreed > 0) {
            channel.maxPayloadBytes(agreed);
        }
        RecordEngine to = new RecordEngine(crypto, new DirectRecords(crypto, channel), info);
        try {
            move(to, carried);
            from.ssl().pretendClosed();
            from.close();
        } catch (Throwable t) {
            to.abandon();
            throw t;
        }
        return to;
    }

    private void move(RecordEngine to, CipherSuite carried) {
        for (int unsent = from.sendLength(); unsent > 0; unsent = from.sendLength()) {
            to.inheritOutgoing(from.sendAddress(), unsent);
            from.sent(unsent);
        }
        BioPair pair = from.pair();
        ProtectedRecords untaken = ProtectedRecords.ofRest();
        for (int unread = pair.unreadLength(); unread > 0; unread = pair.unreadLength()) {
            untaken.read(pair.unreadAddress(), unread);
            to.inherit(pair.unreadAddress(), unread);
            pair.takeUnread(unread);
        }
        if (!carried.isTls13()) {
            int taken = Objects.requireNonNull(received).count() - untaken.count();
            TrafficKeys.sequence(ConnectionKeys.opening(keys), taken);
        }
    }
}
