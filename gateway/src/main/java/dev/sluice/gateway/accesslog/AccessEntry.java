package dev.sluice.gateway.accesslog;

import dev.sluice.ffi.libc.RawMemory;

/**
 * A connection as a loop writes it into its {@link EntryRing}, in native byte order. Names are numbers of a {@link
 * NameTable}, 0 for none; times are microseconds, but for the start.
 *
 * <pre>
 *    0 +---------------------------+---------------------------+
 *      | length of the entry       | kind        | miss        |
 *    8 +---------------------------+---------------------------+
 *      | start, milliseconds since 1970                        |
 *   16 +-------------------------------------------------------+
 *      | peer's address: 16 bytes, an IPv4 one in the first 4  |
 *   32 +-------------+-------------+-------------+-------------+
 *      | peer's port | SNI length  | listener    | ALPN        |
 *   40 +-------------+-------------+-------------+-------------+
 *      | version     | suite       | group       | signature   |
 *   48 +-------------+-------------+-------------+-------------+
 *      | backend     | server      | end         | ticket      |
 *   56 +-------------+-------------+-------------+-------------+
 *      | waited in the queue       | in the TLS library        |
 *   64 +---------------------------+---------------------------+
 *      | handshake's wall time     | 1: peer's is IPv6         |
 *   72 +---------------------------+---------------------------+
 *      | bytes from the client                                 |
 *   80 +-------------------------------------------------------+
 *      | bytes to the client                                   |
 *   88 +-------------------------------------------------------+
 *      | duration                                              |
 *   96 +-------------+-------------+---------------------------+
 *      | subject len.| JA4 length  | 0                         |
 *  104 +-------------+-------------+---------------------------+
 *      | SNI ... subject of the client's certificate ... JA4 … |
 * </pre>
 */
final class AccessEntry {
    /** Without the texts. */
    static final int HEAD_BYTES = 104;

    /** The longest name that DNS knows, and a bit. */
    static final int SERVER_NAME_MAX = 255;

    /** The longest subject of a client's certificate that is logged as a whole; RFC 2253 text is ASCII. */
    static final int SUBJECT_MAX = 512;

    /** Stands for a character of a text that is not ASCII. */
    static final byte NOT_ASCII = (byte) 0xFF;

    private static final int LENGTH_OFFSET = 0;
    private static final int KIND_OFFSET = 4;
    private static final int MISS_OFFSET = 6;
    private static final int TICKET_OFFSET = 54;
    private static final int IPV6_OFFSET = 68;
    private static final int START_OFFSET = 8;
    private static final int ADDRESS_OFFSET = 16;
    private static final int PORT_OFFSET = 32;
    private static final int SERVER_NAME_LENGTH_OFFSET = 34;
    private static final int LISTENER_OFFSET = 36;
    private static final int ALPN_OFFSET = 38;
    private static final int VERSION_OFFSET = 40;
    private static final int CIPHER_OFFSET = 42;
    private static final int GROUP_OFFSET = 44;
    private static final int SIGNATURE_OFFSET = 46;
    private static final int BACKEND_OFFSET = 48;
    private static final int SERVER_OFFSET = 50;
    private static final int END_OFFSET = 52;
    private static final int QUEUE_OFFSET = 56;
    private static final int HANDSHAKE_OFFSET = 60;
    private static final int WALL_OFFSET = 64;
    private static final int FROM_CLIENT_OFFSET = 72;
    private static final int TO_CLIENT_OFFSET = 80;
    private static final int DURATION_OFFSET = 88;
    private static final int SUBJECT_LENGTH_OFFSET = 96;
    private static final int FINGERPRINT_LENGTH_OFFSET = 98;

    private AccessEntry() {}

    /** Bytes of an entry of a record. */
    static int bytes(ConnectionRecord record) {
        return bytes(serverNameLength(record.serverName) + subjectLength(record.subject) + record.fingerprint.length());
    }

    /** Bytes of an entry with texts of so many. */
    static int bytes(int textBytes) {
        return (HEAD_BYTES + textBytes + EntryRing.ALIGNMENT - 1) & -EntryRing.ALIGNMENT;
    }

    /** Writes all but the length, which is the ring's. */
    static void write(long entry, ConnectionRecord record, char end, long durationMicros) {
        putChar(entry + KIND_OFFSET, record.kind);
        putChar(entry + MISS_OFFSET, record.miss);
        RawMemory.putLong(entry + START_OFFSET, record.startMillis);
        RawMemory.putLong(entry + ADDRESS_OFFSET, record.addressStart);
        RawMemory.putLong(entry + ADDRESS_OFFSET + Long.BYTES, record.addressRest);
        putChar(entry + PORT_OFFSET, record.port);
        putChar(entry + LISTENER_OFFSET, record.listener);
        putChar(entry + ALPN_OFFSET, record.alpn);
        putChar(entry + VERSION_OFFSET, record.version);
        putChar(entry + CIPHER_OFFSET, record.cipher);
        putChar(entry + GROUP_OFFSET, record.group);
        putChar(entry + SIGNATURE_OFFSET, record.signature);
        putChar(entry + BACKEND_OFFSET, record.backend);
        putChar(entry + SERVER_OFFSET, record.server);
        putChar(entry + END_OFFSET, end);
        putChar(entry + TICKET_OFFSET, record.ticket);
        RawMemory.putInt(entry + QUEUE_OFFSET, record.queueMicros);
        RawMemory.putInt(entry + HANDSHAKE_OFFSET, record.handshakeMicros);
        RawMemory.putInt(entry + WALL_OFFSET, record.wallMicros);
        RawMemory.putInt(entry + IPV6_OFFSET, record.isIpv6 ? 1 : 0);
        RawMemory.putLong(entry + FROM_CLIENT_OFFSET, record.fromClient);
        RawMemory.putLong(entry + TO_CLIENT_OFFSET, record.toClient);
        RawMemory.putLong(entry + DURATION_OFFSET, durationMicros);
        writeTexts(entry, record);
    }

    private static void writeTexts(long entry, ConnectionRecord record) {
        int serverName = serverNameLength(record.serverName);
        int subject = subjectLength(record.subject);
        int fingerprint = record.fingerprint.length();
        putChar(entry + SERVER_NAME_LENGTH_OFFSET, (char) serverName);
        putChar(entry + SUBJECT_LENGTH_OFFSET, (char) subject);
        putChar(entry + FINGERPRINT_LENGTH_OFFSET, (char) fingerprint);
        writeText(entry + HEAD_BYTES, record.serverName, serverName);
        writeText(entry + HEAD_BYTES + serverName, record.subject, subject);
        writeText(entry + HEAD_BYTES + serverName + subject, record.fingerprint, fingerprint);
    }

    private static void writeText(long address, String text, int length) {
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            RawMemory.putByte(address + i, c < 0x80 ? (byte) c : NOT_ASCII);
        }
    }

    /** Returns the length of the part of a server name that is written. */
    static int serverNameLength(String name) {
        return Math.min(name.length(), SERVER_NAME_MAX);
    }

    /** Returns the length of the part of a subject that is written. */
    private static int subjectLength(String subject) {
        return Math.min(subject.length(), SUBJECT_MAX);
    }

    private static void putChar(long address, char value) {
        RawMemory.putShort(address, (short) value);
    }

    private static int unsigned(long address) {
        return RawMemory.getShort(address) & 0xFFFF;
    }

    static int length(long entry) {
        return RawMemory.getInt(entry + LENGTH_OFFSET);
    }

    static void length(long entry, int bytes) {
        RawMemory.putInt(entry + LENGTH_OFFSET, bytes);
    }

    static int kind(long entry) {
        return unsigned(entry + KIND_OFFSET);
    }

    static int miss(long entry) {
        return unsigned(entry + MISS_OFFSET);
    }

    static int ticket(long entry) {
        return unsigned(entry + TICKET_OFFSET);
    }

    static boolean isIpv6(long entry) {
        return RawMemory.getInt(entry + IPV6_OFFSET) != 0;
    }

    static long startMillis(long entry) {
        return RawMemory.getLong(entry + START_OFFSET);
    }

    static long addressOfPeer(long entry) {
        return entry + ADDRESS_OFFSET;
    }

    static int port(long entry) {
        return unsigned(entry + PORT_OFFSET);
    }

    static int serverNameLength(long entry) {
        return unsigned(entry + SERVER_NAME_LENGTH_OFFSET);
    }

    static long serverName(long entry) {
        return entry + HEAD_BYTES;
    }

    static int subjectLength(long entry) {
        return unsigned(entry + SUBJECT_LENGTH_OFFSET);
    }

    static long subject(long entry) {
        return serverName(entry) + serverNameLength(entry);
    }

    static int fingerprintLength(long entry) {
        return unsigned(entry + FINGERPRINT_LENGTH_OFFSET);
    }

    static long fingerprint(long entry) {
        return subject(entry) + subjectLength(entry);
    }

    static int listener(long entry) {
        return unsigned(entry + LISTENER_OFFSET);
    }

    static int alpn(long entry) {
        return unsigned(entry + ALPN_OFFSET);
    }

    static int version(long entry) {
        return unsigned(entry + VERSION_OFFSET);
    }

    static int cipher(long entry) {
        return unsigned(entry + CIPHER_OFFSET);
    }

    static int group(long entry) {
        return unsigned(entry + GROUP_OFFSET);
    }

    static int signature(long entry) {
        return unsigned(entry + SIGNATURE_OFFSET);
    }

    static int backend(long entry) {
        return unsigned(entry + BACKEND_OFFSET);
    }

    static int server(long entry) {
        return unsigned(entry + SERVER_OFFSET);
    }

    static int end(long entry) {
        return unsigned(entry + END_OFFSET);
    }

    static long queueMicros(long entry) {
        return Integer.toUnsignedLong(RawMemory.getInt(entry + QUEUE_OFFSET));
    }

    static long handshakeMicros(long entry) {
        return Integer.toUnsignedLong(RawMemory.getInt(entry + HANDSHAKE_OFFSET));
    }

    static long wallMicros(long entry) {
        return Integer.toUnsignedLong(RawMemory.getInt(entry + WALL_OFFSET));
    }

    static long fromClient(long entry) {
        return RawMemory.getLong(entry + FROM_CLIENT_OFFSET);
    }

    static long toClient(long entry) {
        return RawMemory.getLong(entry + TO_CLIENT_OFFSET);
    }

    static long durationMicros(long entry) {
        return RawMemory.getLong(entry + DURATION_OFFSET);
    }
}
