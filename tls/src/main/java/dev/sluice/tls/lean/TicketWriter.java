package dev.sluice.tls.lean;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.ErrorQueue;
import dev.sluice.ffi.openssl.HandshakeCallbacks.Target;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.ffi.openssl.TicketKey;
import dev.sluice.ffi.openssl.raw.LibCryptoAead;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.NativeAllocator;
import dev.sluice.tls.record.CipherSuite;
import dev.sluice.tls.record.HandshakeSchedule;
import dev.sluice.tls.ticket.TicketKeyRing;
import java.lang.foreign.MemorySegment;

/**
 * The writer of NewSessionTicket messages (RFC 8446 section 4.6.1) whose tickets libssl opens: the session in the DER
 * form of {@code i2d_SSL_SESSION} (ssl_asn1.c), sealed as RFC 5077 section 4 recommends.
 *
 * <pre>
 *   ticket: | key name, 16 | iv, 16 | AES-CBC: session, padding | HMAC-SHA-256 over all before, 32 |
 *
 *   session: SEQUENCE { 1, version, suite, "" (session id), pre-shared key, [1] time, [2] lifetime,
 *                       [4] id context, [6] server name, [14] age_add, [16] ALPN, … }
 * </pre>
 *
 * <p>Confined to one thread; serves one connection at a time. Owns its contexts and scratch memory.
 */
public final class TicketWriter implements AutoCloseable {
    private static final int NEW_SESSION_TICKET = 4;
    private static final int NONCE_BYTES = 8;
    private static final int MAC_BYTES = 32;
    private static final int MAX_ALPN_BYTES = 255;
    private static final int MAX_SESSION_BYTES = 1024;
    private static final int MAX_NAME_BYTES = 255;

    /** The largest message: header, lifetime, age_add, nonce, ticket and extensions. */
    public static final int MAX_BYTES = 4
            + 4
            + 4
            + 1
            + NONCE_BYTES
            + 2
            + TicketKey.NAME_BYTES
            + TicketKey.IV_BYTES
            + MAX_SESSION_BYTES
            + 16
            + MAC_BYTES
            + 2;

    private static final int SECRET_OFFSET = 0;
    private static final int SESSION_OFFSET = 48;
    private static final int LENGTH_OFFSET = SESSION_OFFSET + MAX_SESSION_BYTES;
    private static final int RANDOM_OFFSET = LENGTH_OFFSET + Long.BYTES;
    private static final int SCRATCH_BYTES = RANDOM_OFFSET + Long.BYTES;
    private static final int TLS_1_3 = 0x0304;

    private static final int SEQUENCE = 0x30;
    private static final int INTEGER = 0x02;
    private static final int OCTET_STRING = 0x04;
    private static final int EXPLICIT = 0xA0;

    private final HandshakeSchedule schedule;
    private final NativeAllocator allocator;
    private final MemorySegment scratch;
    private final Ledger.Account account = Ledger.process().account("lean tickets");
    private final TicketContexts contexts;

    /** The end of what is written. */
    private long at;

    TicketWriter(HandshakeSchedule schedule, NativeAllocator allocator) {
        this.schedule = schedule;
        this.allocator = allocator;
        this.scratch = allocator.allocate(SCRATCH_BYTES, Long.BYTES);
        try {
            this.contexts = TicketContexts.sealing();
        } catch (Throwable t) {
            allocator.free(scratch);
            throw t;
        }
        account.acquired(SCRATCH_BYTES);
    }

    /**
     * Writes a message.
     *
     * @param secrets the connection's {@link HandshakeSecrets}
     * @param number the ticket's number on its connection
     * @param serverName the name of SNI; empty for none
     * @param protocol the application protocol; empty for none
     * @param nowSeconds the time since 1970
     * @param out destination, with room for {@link #MAX_BYTES}
     * @return size of the message; 0 when no key seals tickets now, or OpenSSL cannot
     */
    public int write(
            LeanContext context,
            CipherSuite suite,
            long secrets,
            int number,
            byte[] serverName,
            byte[] protocol,
            long nowSeconds,
            long out) {
        TicketKeyRing ring = context.keys();
        if (ring == null || protocol.length > MAX_ALPN_BYTES || serverName.length > MAX_NAME_BYTES) {
            return 0;
        }
        long random = scratch.address() + RANDOM_OFFSET;
        if (LibCryptoAead.RAND_bytes(random, Integer.BYTES) != 1) {
            throw OpenSslException.drained("RAND_bytes of ticket_age_add failed");
        }
        int ageAdd = RawMemory.getInt(random);
        at = out + 4;
        putInt((int) context.sessionSeconds());
        putInt(ageAdd);
        putByte(NONCE_BYTES);
        long nonce = at;
        putInt(0);
        putInt(number);
        long ticket = at + 2;
        try {
            int session = writeSession(context, suite, secrets, nonce, serverName, protocol, nowSeconds, ageAdd);
            int sealed = seal(ring, ticket, session);
            if (sealed == 0) {
                return 0;
            }
            RawMemory.putShortBigEndian(ticket - 2, (short) sealed);
            RawMemory.putShortBigEndian(ticket + sealed, (short) 0); // no extensions
            int length = (int) (ticket + sealed + 2 - out);
            RawMemory.putIntBigEndian(out, NEW_SESSION_TICKET << 24 | (length - 4));
            return length;
        } finally {
            scratch.fill((byte) 0);
        }
    }

    /** Writes the session into the scratch memory; returns its size. */
    private int writeSession(
            LeanContext context,
            CipherSuite suite,
            long secrets,
            long nonce,
            byte[] serverName,
            byte[] protocol,
            long nowSeconds,
            int ageAdd) {
        int secretBytes = suite.hash().bytes();
        long secret = scratch.address() + SECRET_OFFSET;
        schedule.ticketSecret(suite, HandshakeSecrets.resumption(secrets), nonce, NONCE_BYTES, secret);
        long start = scratch.address() + SESSION_OFFSET;
        at = start + 4; // the sequence's header, whose length has two bytes
        putInteger(1);
        putInteger(TLS_1_3);
        putByte(OCTET_STRING);
        putByte(2);
        putByte(suite.id() >>> 8);
        putByte(suite.id());
        putByte(OCTET_STRING); // the session id, which tickets do without
        putByte(0);
        putByte(OCTET_STRING);
        putByte(secretBytes);
        RawMemory.copy(secret, at, secretBytes);
        at += secretBytes;
        putExplicitInteger(1, nowSeconds);
        putExplicitInteger(2, context.sessionSeconds());
        putExplicitString(4, context.sessionContext().id());
        if (serverName.length > 0) {
            putExplicitString(6, serverName);
        }
        putExplicitInteger(14, ageAdd & 0xFFFFFFFFL);
        if (protocol.length > 0) {
            putExplicitString(16, protocol);
        }
        int content = (int) (at - start - 4);
        RawMemory.putByte(start, (byte) SEQUENCE);
        if (content > 0xFF) {
            RawMemory.putByte(start + 1, (byte) 0x82);
            RawMemory.putShortBigEndian(start + 2, (short) content);
            return 4 + content;
        }
        // DER wants the shortest length.
        int header = content > 0x7F ? 3 : 2;
        RawMemory.copy(start + 4, start + header, content);
        RawMemory.putByte(start + 1, (byte) (header == 3 ? 0x81 : content));
        if (header == 3) {
            RawMemory.putByte(start + 2, (byte) content);
        }
        return header + content;
    }

    /** Seals the session; returns the size of the ticket, or 0 when no key does. */
    private int seal(TicketKeyRing ring, long ticket, int sessionBytes) {
        long iv = ticket + TicketKey.NAME_BYTES;
        long to = iv + TicketKey.IV_BYTES;
        long length = scratch.address() + LENGTH_OFFSET;
        long context = contexts.encryption();
        long mac = contexts.mac();
        if (ring.seal(ticket, iv, context, mac) != Target.TICKET_OK) {
            ErrorQueue.clear();
            contexts.discardMac();
            return 0;
        }
        long from = scratch.address() + SESSION_OFFSET;
        boolean done = LibCryptoAead.EVP_EncryptUpdate(context, to, length, from, sessionBytes) == 1;
        int sealed = RawMemory.getInt(length);
        done = done && LibCryptoAead.EVP_EncryptFinal_ex(context, to + sealed, length) == 1;
        sealed += RawMemory.getInt(length);
        done = done
                && LibCryptoAead.EVP_MAC_update(mac, ticket, to + sealed - ticket) == 1
                && LibCryptoAead.EVP_MAC_final(mac, to + sealed, length, MAC_BYTES) == 1;
        if (!done) {
            contexts.discardMac();
            throw OpenSslException.drained("sealing a session ticket failed");
        }
        return TicketKey.NAME_BYTES + TicketKey.IV_BYTES + sealed + MAC_BYTES;
    }

    // ---- DER

    private void putInteger(long value) {
        int bytes = 1;
        while (value >>> (8 * bytes - 1) != 0 && bytes < 8) {
            bytes++;
        }
        putByte(INTEGER);
        putByte(bytes);
        for (int i = bytes - 1; i >= 0; i--) {
            putByte((int) (value >>> (8 * i)));
        }
    }

    private void putExplicitInteger(int tag, long value) {
        long header = at;
        at += 2;
        putInteger(value);
        RawMemory.putByte(header, (byte) (EXPLICIT | tag));
        RawMemory.putByte(header + 1, (byte) (at - header - 2));
    }

    /** Writes a string of at most 255 bytes. */
    private void putExplicitString(int tag, byte[] value) {
        int inner = value.length > 0x7F ? 3 : 2;
        putByte(EXPLICIT | tag);
        putLength(inner + value.length);
        putByte(OCTET_STRING);
        putLength(value.length);
        RawMemory.copy(value, 0, at, value.length);
        at += value.length;
    }

    private void putLength(int length) {
        if (length > 0xFF) {
            putByte(0x82);
            putByte(length >>> 8);
        } else if (length > 0x7F) {
            putByte(0x81);
        }
        putByte(length);
    }

    private void putByte(int value) {
        RawMemory.putByte(at, (byte) value);
        at++;
    }

    private void putInt(int value) {
        RawMemory.putIntBigEndian(at, value);
        at += 4;
    }

    @Override
    public void close() {
        contexts.close();
        scratch.fill((byte) 0);
        allocator.free(scratch);
        account.released(SCRATCH_BYTES);
    }
}
