package dev.sluice.tls.lean;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.ErrorQueue;
import dev.sluice.ffi.openssl.TicketKey;
import dev.sluice.ffi.openssl.raw.LibCryptoAead;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.NativeAllocator;
import dev.sluice.tls.record.CipherSuite;
import dev.sluice.tls.ticket.TicketKeyRing;
import dev.sluice.tls.ticket.TicketResult;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The reader of tickets, those of libssl and of {@link TicketWriter}. It accepts only a session that can be resumed
 * here and now; all others are left to libssl, which reports why.
 *
 * <p>Confined to one thread; holds one session at a time, until {@link #forget()}.
 */
final class TicketOpener implements AutoCloseable {
    private static final int MAC_BYTES = 32;
    private static final int BLOCK_BYTES = 16;
    private static final int FRAME_BYTES = TicketKey.NAME_BYTES + TicketKey.IV_BYTES + MAC_BYTES;
    private static final int MAX_SESSION_BYTES = 1024;
    private static final int LENGTH_OFFSET = 0;
    private static final int MAC_OFFSET = LENGTH_OFFSET + Long.BYTES;
    private static final int SESSION_OFFSET = MAC_OFFSET + MAC_BYTES;
    private static final int SCRATCH_BYTES = SESSION_OFFSET + MAX_SESSION_BYTES + BLOCK_BYTES;
    private static final int TLS_1_3 = 0x0304;

    private static final int SEQUENCE = 0x30;
    private static final int INTEGER = 0x02;
    private static final int OCTET_STRING = 0x04;
    private static final int EXPLICIT = 0xA0;
    private static final int MALFORMED = -1;

    // Fields of SSL_SESSION_ASN1 in ssl_asn1.c.
    private static final int TIME = 1;
    private static final int TIMEOUT = 2;
    private static final int ID_CONTEXT = 4;

    /** Those without influence on a resumption without early data: host name, hint, flags, age, ALPN, group. */
    private static final int IGNORED = 1 << 6 | 1 << 9 | 1 << 13 | 1 << 14 | 1 << 15 | 1 << 16 | 1 << 19;

    private final NativeAllocator allocator;
    private final MemorySegment scratch;
    private final long address;
    private final Ledger.Account account = Ledger.process().account("lean tickets");
    private final TicketContexts contexts;

    private TicketResult result = TicketResult.NONE;
    private long secret;

    // The position in the session, and the field there.
    private long at;
    private long end;
    private int tag;
    private int fieldBytes;

    TicketOpener(NativeAllocator allocator) {
        this.allocator = allocator;
        this.scratch = allocator.allocate(SCRATCH_BYTES, Long.BYTES);
        this.address = scratch.address();
        try {
            this.contexts = TicketContexts.opening();
        } catch (Throwable t) {
            allocator.free(scratch);
            throw t;
        }
        account.acquired(SCRATCH_BYTES);
    }

    /**
     * Opens a ticket.
     *
     * @param suite the suite of the connection, whose hash must be the session's
     * @param nowSeconds the time since 1970
     * @return true if its session can be resumed under the context
     */
    boolean open(LeanContext context, CipherSuite suite, long ticket, int ticketBytes, long nowSeconds) {
        TicketKeyRing ring = context.keys();
        int sealed = ticketBytes - FRAME_BYTES;
        if (ring == null
                || context.tickets() == 0
                || sealed < BLOCK_BYTES
                || sealed % BLOCK_BYTES != 0
                || sealed > MAX_SESSION_BYTES) {
            return false;
        }
        long iv = ticket + TicketKey.NAME_BYTES;
        result = ring.tryOpen(ticket, iv, contexts.encryption(), contexts.mac());
        if (result == TicketResult.NONE) {
            ErrorQueue.clear();
            contexts.discardMac();
        }
        boolean known = result == TicketResult.CURRENT || result == TicketResult.PREVIOUS;
        return known
                && isAuthentic(ticket, ticketBytes - MAC_BYTES)
                && decrypt(iv + TicketKey.IV_BYTES, sealed)
                && isResumable(context, suite, nowSeconds);
    }

    private boolean isAuthentic(long ticket, int bytes) {
        long mac = contexts.mac();
        boolean done = LibCryptoAead.EVP_MAC_update(mac, ticket, bytes) == 1
                && LibCryptoAead.EVP_MAC_final(mac, address + MAC_OFFSET, address + LENGTH_OFFSET, MAC_BYTES) == 1;
        if (!done) {
            ErrorQueue.clear();
            contexts.discardMac();
        }
        return done && isEqual(ticket + bytes, address + MAC_OFFSET, MAC_BYTES);
    }

    /** Compares in constant time. */
    static boolean isEqual(long one, long other, int bytes) {
        int difference = 0;
        for (int i = 0; i < bytes; i++) {
            difference |= RawMemory.getByte(one + i) ^ RawMemory.getByte(other + i);
        }
        return difference == 0;
    }

    private boolean decrypt(long from, int sealed) {
        long session = address + SESSION_OFFSET;
        long length = address + LENGTH_OFFSET;
        if (LibCryptoAead.EVP_DecryptUpdate(contexts.encryption(), session, length, from, sealed) != 1) {
            ErrorQueue.clear();
            return false;
        }
        int bytes = RawMemory.getInt(length);
        if (LibCryptoAead.EVP_DecryptFinal_ex(contexts.encryption(), session + bytes, length) != 1) {
            ErrorQueue.clear();
            return false;
        }
        at = session;
        end = session + bytes + RawMemory.getInt(length);
        return true;
    }

    private boolean isResumable(LeanContext context, CipherSuite suite, long nowSeconds) {
        if (!next() || tag != SEQUENCE || at + fieldBytes != end) {
            return false;
        }
        if (integer() != 1 || integer() != TLS_1_3 || !next() || tag != OCTET_STRING || fieldBytes != 2) {
            return false;
        }
        CipherSuite own = suite(RawMemory.getShortBigEndian(at) & 0xFFFF);
        at += 2;
        if (own == null || own.hash() != suite.hash() || !skip(OCTET_STRING) || !next() || tag != OCTET_STRING) {
            return false;
        }
        secret = at;
        if (fieldBytes != suite.hash().bytes()) {
            return false;
        }
        at += fieldBytes;
        long time = MALFORMED;
        long timeout = MALFORMED;
        boolean contextEqual = false;
        while (at < end) {
            if (!next() || (tag & 0xE0) != EXPLICIT) {
                return false;
            }
            int field = tag & 0x1F;
            long behind = at + fieldBytes;
            if (field == TIME) {
                time = integer();
            } else if (field == TIMEOUT) {
                timeout = integer();
            } else if (field == ID_CONTEXT) {
                contextEqual = isContext(context.sessionContext().id());
            } else if ((IGNORED & 1 << field) == 0) {
                return false; // a client's certificate, a verification's failure, a shorter fragment, anything unknown
            }
            at = behind;
        }
        return contextEqual && time >= 0 && timeout >= 0 && time + timeout > nowSeconds;
    }

    private static @Nullable CipherSuite suite(int id) {
        for (CipherSuite suite : CipherSuite.values()) {
            if (suite.id() == id && suite.isTls13()) {
                return suite;
            }
        }
        return null;
    }

    private boolean isContext(byte[] id) {
        if (!next() || tag != OCTET_STRING || fieldBytes != id.length) {
            return false;
        }
        for (int i = 0; i < id.length; i++) {
            if (RawMemory.getByte(at + i) != id[i]) {
                return false;
            }
        }
        return true;
    }

    // ---- DER

    /** Reads a header; the position is then at its content, which ends inside the session. */
    private boolean next() {
        if (at + 2 > end) {
            return false;
        }
        tag = RawMemory.getByte(at) & 0xFF;
        int length = RawMemory.getByte(at + 1) & 0xFF;
        at += 2;
        if (length == 0x81 && at + 1 <= end) {
            length = RawMemory.getByte(at) & 0xFF;
            at += 1;
        } else if (length == 0x82 && at + 2 <= end) {
            length = RawMemory.getShortBigEndian(at) & 0xFFFF;
            at += 2;
        } else if (length > 0x7F) {
            return false;
        }
        fieldBytes = length;
        return at + length <= end;
    }

    private boolean skip(int expected) {
        if (!next() || tag != expected) {
            return false;
        }
        at += fieldBytes;
        return true;
    }

    /** Reads a non-negative integer of at most seven bytes; {@link #MALFORMED} otherwise. */
    private long integer() {
        if (!next() || tag != INTEGER || fieldBytes < 1 || fieldBytes > 7 || RawMemory.getByte(at) < 0) {
            return MALFORMED;
        }
        long value = 0;
        for (int i = 0; i < fieldBytes; i++) {
            value = value << 8 | (RawMemory.getByte(at + i) & 0xFF);
        }
        at += fieldBytes;
        return value;
    }

    // ---- the session

    /** Returns the key that sealed the ticket. */
    TicketResult result() {
        return result;
    }

    /** Returns the address of the pre-shared key. */
    long secret() {
        return secret;
    }

    /** Wipes the session. */
    void forget() {
        scratch.fill((byte) 0);
    }

    @Override
    public void close() {
        contexts.close();
        forget();
        allocator.free(scratch);
        account.released(SCRATCH_BYTES);
    }
}
