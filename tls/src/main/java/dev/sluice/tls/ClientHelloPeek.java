package dev.sluice.tls;

import dev.sluice.ffi.RawMemory;
import dev.sluice.ffi.openssl.TicketKey;

/**
 * A look at a ClientHello (RFC 8446 section 4.1.2) that libssl has not seen yet: which key is the ticket sealed with that
 * it offers, and which suite comes first? Decides nothing but who is served first, so that whatever is odd counts as no ticket. Reads no byte outside of
 * what it is given, and allocates nothing.
 *
 * <pre>
 *   record header: 22, version(2), length(2)
 *   handshake header: 1, length(3)
 *   version(2), random(32), session id&lt;1&gt;, cipher suites&lt;2&gt;, compression methods&lt;1&gt;, extensions&lt;2&gt;
 *   extension: type(2), data&lt;2&gt;
 *     35 session_ticket: the ticket (RFC 5077 section 3.2)
 *     41 pre_shared_key: identities&lt;2&gt;, each identity&lt;2&gt;, age(4); binders (RFC 8446 section 4.2.11)
 * </pre>
 */
final class ClientHelloPeek {
    /** No ticket is offered, or not all of the message is there. */
    static final long NONE = 0;

    /** TLS_NULL_WITH_NULL_NULL, which nobody offers. */
    static final int NO_SUITE = 0;

    private static final int HANDSHAKE_RECORD = 22;
    private static final int CLIENT_HELLO = 1;
    private static final int RECORD_HEADER_BYTES = 5;
    private static final int HEADERS_BYTES = RECORD_HEADER_BYTES + 4;
    private static final int VERSION_AND_RANDOM_BYTES = 2 + 32;
    private static final int SESSION_TICKET = 35;
    private static final int PRE_SHARED_KEY = 41;

    private ClientHelloPeek() {}

    /**
     * Finds the name of the key that the first ticket was sealed with.
     *
     * @param address of what has been received
     * @param length how much that is
     * @return the address of {@link TicketKey#NAME_BYTES} bytes in there, or {@link #NONE}
     */
    static long ticketName(long address, int length) {
        long end = end(address, length);
        return end == NONE ? NONE : inMessage(address + HEADERS_BYTES, end);
    }

    /**
     * The cipher suite that the client likes best, those left out that are there to mean nothing (RFC 8701).
     *
     * @return {@link #NO_SUITE} when it cannot be told
     */
    static int firstSuite(long address, int length) {
        long end = end(address, length);
        if (end == NONE) {
            return NO_SUITE;
        }
        long suites = behind8(address + HEADERS_BYTES + VERSION_AND_RANDOM_BYTES, end);
        long suitesEnd = behind16(suites, end);
        for (long at = suites + 2; suitesEnd <= end && at + 2 <= suitesEnd; at += 2) {
            int suite = unsigned16(at);
            if (!isMeaningless(suite)) {
                return suite;
            }
        }
        return NO_SUITE;
    }

    private static boolean isMeaningless(int suite) {
        return (suite & 0x0F0F) == 0x0A0A && suite >>> 8 == (suite & 0xFF);
    }

    /** Where the message ends, or {@link #NONE} when it is none, or not all of it is there. */
    private static long end(long address, int length) {
        if (length < HEADERS_BYTES
                || RawMemory.getByte(address) != HANDSHAKE_RECORD
                || RawMemory.getByte(address + RECORD_HEADER_BYTES) != CLIENT_HELLO) {
            return NONE;
        }
        int recordBytes = unsigned16(address + 3);
        int messageBytes = RawMemory.getByte(address + RECORD_HEADER_BYTES + 1) == 0
                ? unsigned16(address + RECORD_HEADER_BYTES + 2)
                : Integer.MAX_VALUE;
        boolean whole = recordBytes <= length - RECORD_HEADER_BYTES && messageBytes <= recordBytes - 4;
        return whole ? address + HEADERS_BYTES + messageBytes : NONE;
    }

    private static long inMessage(long begin, long end) {
        long sessionId = begin + VERSION_AND_RANDOM_BYTES;
        long cipherSuites = behind8(sessionId, end);
        long compression = behind16(cipherSuites, end);
        long extensions = behind8(compression, end);
        return extensions + 2 <= end && behind16(extensions, end) <= end ? inExtensions(extensions) : NONE;
    }

    /** A ticket of TLS 1.3 goes before one of TLS 1.2: the server speaks the newer version. */
    private static long inExtensions(long extensions) {
        long end = behind16(extensions, Long.MAX_VALUE);
        long olderTicket = NONE;
        for (long at = extensions + 2; at + 4 <= end; at = behind16(at + 2, end)) {
            int type = unsigned16(at);
            long data = at + 4;
            long dataEnd = behind16(at + 2, end);
            if (dataEnd > end) {
                return NONE;
            }
            if (type == PRE_SHARED_KEY) {
                return firstIdentity(data, dataEnd);
            }
            if (type == SESSION_TICKET && dataEnd - data >= TicketKey.NAME_BYTES) {
                olderTicket = data;
            }
        }
        return olderTicket;
    }

    private static long firstIdentity(long data, long end) {
        long identity = data + 4;
        boolean hasName = identity + TicketKey.NAME_BYTES <= end && unsigned16(data + 2) >= TicketKey.NAME_BYTES;
        return hasName ? identity : NONE;
    }

    /** The address behind a vector with a length of one byte; one behind the end when the length itself is. */
    private static long behind8(long vector, long end) {
        return vector + 1 <= end ? vector + 1 + (RawMemory.getByte(vector) & 0xff) : end + 1;
    }

    /** Likewise with a length of two bytes. */
    private static long behind16(long vector, long end) {
        return vector <= end - 2 ? vector + 2 + unsigned16(vector) : end + 1;
    }

    private static int unsigned16(long address) {
        return RawMemory.getShortBigEndian(address) & 0xffff;
    }
}
