package dev.sluice.tls.context;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.TicketKey;

/**
 * A parser of a ClientHello (RFC 8446 section 4.1.2) that libssl has not seen yet: the key name of its first ticket,
 * its preferred suite, and its extensions. The result only affects scheduling and routing, so a malformed message
 * counts as one without them. Reads no byte outside its input, and allocates nothing.
 *
 * <pre>
 *   record header: 22, version(2), length(2)
 *   handshake header: 1, length(3)
 *   version(2), random(32), session id&lt;1&gt;, cipher suites&lt;2&gt;, compression&lt;1&gt;, extensions&lt;2&gt;
 *   extension: type(2), data&lt;2&gt;
 *     35 session_ticket: the ticket (RFC 5077 section 3.2)
 *     41 pre_shared_key: identities&lt;2&gt;, each identity&lt;2&gt;, age(4); binders (RFC 8446 section 4.2.11)
 * </pre>
 */
final class ClientHelloPeek {
    /** No ticket is offered, or the message is incomplete. */
    static final long NONE = 0;

    /** TLS_NULL_WITH_NULL_NULL, which no client offers. */
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
     * @param address of the received bytes
     * @param length number of received bytes
     * @return the address of {@link TicketKey#NAME_BYTES} bytes of the input, or {@link #NONE}
     */
    static long ticketName(long address, int length) {
        long end = end(address, length);
        return end == NONE ? NONE : inMessage(address + HEADERS_BYTES, end);
    }

    /**
     * Returns the client's preferred cipher suite, ignoring reserved GREASE values (RFC 8701).
     *
     * @return {@link #NO_SUITE} when it is unknown
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

    /** Returns true for a ClientHello that is whole, in the first record; its content may be malformed. */
    static boolean isWhole(long address, int length) {
        return end(address, length) != NONE;
    }

    /** Returns the end of the message, or {@link #NONE} when it is malformed or incomplete. */
    static long end(long address, int length) {
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

    /**
     * Finds the body of an extension.
     *
     * @return the address of its length, two bytes, within the input; {@link #NONE}
     */
    static long extension(long address, int length, int type) {
        long messageEnd = end(address, length);
        long extensions = messageEnd == NONE ? NONE : extensions(address + HEADERS_BYTES, messageEnd);
        if (extensions == NONE) {
            return NONE;
        }
        long end = behind16(extensions, Long.MAX_VALUE);
        for (long at = extensions + 2; at + 4 <= end; at = behind16(at + 2, end)) {
            if (behind16(at + 2, end) <= end && unsigned16(at) == type) {
                return at + 2;
            }
        }
        return NONE;
    }

    private static long inMessage(long begin, long end) {
        long extensions = extensions(begin, end);
        return extensions == NONE ? NONE : inExtensions(extensions);
    }

    /** Returns the address of the vector of extensions; {@link #NONE} without a valid one. */
    private static long extensions(long begin, long end) {
        long sessionId = begin + VERSION_AND_RANDOM_BYTES;
        long cipherSuites = behind8(sessionId, end);
        long compression = behind16(cipherSuites, end);
        long extensions = behind8(compression, end);
        return extensions + 2 <= end && behind16(extensions, end) <= end ? extensions : NONE;
    }

    /**
     * Returns the ticket name in the extensions; a TLS 1.3 ticket takes precedence over a TLS 1.2 one, as the server
     * negotiates the newer version.
     */
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

    /**
     * Returns the address after a vector with a one-byte length; one past the end when the length itself is missing.
     */
    private static long behind8(long vector, long end) {
        return vector + 1 <= end ? vector + 1 + (RawMemory.getByte(vector) & 0xff) : end + 1;
    }

    /** Returns the address after a vector with a two-byte length. */
    private static long behind16(long vector, long end) {
        return vector <= end - 2 ? vector + 2 + unsigned16(vector) : end + 1;
    }

    private static int unsigned16(long address) {
        return RawMemory.getShortBigEndian(address) & 0xffff;
    }
}
