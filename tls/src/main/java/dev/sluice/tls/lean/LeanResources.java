package dev.sluice.tls.lean;

import dev.sluice.ffi.openssl.agreement.KeyAgreement;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.NativeAllocator;
import dev.sluice.tls.record.HandshakeSchedule;
import dev.sluice.tls.record.RecordResources;
import dev.sluice.tls.record.TrafficKeys;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;

/**
 * The resources that an event loop's lean handshakes share: the key schedule, the generators of key shares, the writer
 * of tickets, and scratch memory for one handshake at a time. Confined to the loop's thread; {@link #close()} wipes and
 * frees all of it.
 */
public final class LeanResources implements AutoCloseable {
    /** The content that CertificateVerify signs: 64 spaces, the context, a zero and the hash. */
    static final int SIGNED_BYTES = 64 + 33 + 1 + 48;

    private static final int SHARED_OFFSET = 0;
    private static final int SERVER_KEYS_OFFSET = SHARED_OFFSET + NamedGroup.MAX_SECRET_BYTES;
    private static final int SIGNED_OFFSET = SERVER_KEYS_OFFSET + TrafficKeys.BYTES;
    private static final int DIGEST_OFFSET = (SIGNED_OFFSET + SIGNED_BYTES + 7) & -8;
    private static final int LENGTH_OFFSET = DIGEST_OFFSET + 64;
    private static final int SCRATCH_BYTES = LENGTH_OFFSET + Long.BYTES;

    private final RecordResources records;
    private final NativeAllocator allocator;
    private final HandshakeSchedule schedule;
    private final TicketWriter tickets;
    private final TicketOpener sessions;
    private final MemorySegment scratch;
    private final Ledger.Account account = Ledger.process().account("lean handshakes");
    private final Map<NamedGroup, KeyAgreement> agreements = new EnumMap<>(NamedGroup.class);

    /** Creates the resources of a loop. */
    public LeanResources(RecordResources records, NativeAllocator allocator) {
        this.records = records;
        this.allocator = allocator;
        Deque<Runnable> made = new ArrayDeque<>();
        try {
            schedule = new HandshakeSchedule(allocator);
            made.push(schedule::close);
            tickets = new TicketWriter(schedule, allocator);
            made.push(tickets::close);
            sessions = new TicketOpener(allocator);
            made.push(sessions::close);
            scratch = allocator.allocate(SCRATCH_BYTES, Long.BYTES);
        } catch (Throwable t) {
            made.forEach(Runnable::run);
            throw t;
        }
        account.acquired(SCRATCH_BYTES);
    }

    RecordResources records() {
        return records;
    }

    HandshakeSchedule schedule() {
        return schedule;
    }

    /** Returns the writer of tickets. */
    public TicketWriter tickets() {
        return tickets;
    }

    /** Returns the reader of tickets. */
    TicketOpener sessions() {
        return sessions;
    }

    KeyAgreement agreement(NamedGroup group) {
        return agreements.computeIfAbsent(group, NamedGroup::newAgreement);
    }

    /** Returns the destination of the agreed secret. */
    long shared() {
        return scratch.address() + SHARED_OFFSET;
    }

    /** Returns the {@link TrafficKeys} of the server's handshake records. */
    long serverKeys() {
        return scratch.address() + SERVER_KEYS_OFFSET;
    }

    /** Returns the memory for the content that is signed. */
    long signed() {
        return scratch.address() + SIGNED_OFFSET;
    }

    /** Returns the memory for its digest. */
    long digest() {
        return scratch.address() + DIGEST_OFFSET;
    }

    /** Returns the memory for a length. */
    long length() {
        return scratch.address() + LENGTH_OFFSET;
    }

    /** Wipes what a handshake has left. */
    void forget() {
        schedule.forget();
        sessions.forget();
        scratch.fill((byte) 0);
    }

    @Override
    public void close() {
        agreements.values().forEach(KeyAgreement::close);
        agreements.clear();
        tickets.close();
        sessions.close();
        schedule.close();
        scratch.fill((byte) 0);
        allocator.free(scratch);
        account.released(SCRATCH_BYTES);
    }
}
