package dev.sluice.gateway.accesslog;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.ffi.libc.InetText;
import dev.sluice.ffi.libc.RawMemory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;

/**
 * Entries as lines of JSON (RFC 8259), one behind the other, which a {@link LogFile} takes. What is not known of a
 * connection is left out. Confined to the writer's thread.
 */
final class JsonLines {
    private static final int FIRST_BYTES = 64 * 1024;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);
    private static final int IPV4_BYTES = 4;
    private static final int IPV6_BYTES = 16;
    private static final byte[] HEXADECIMAL = "0123456789abcdef".getBytes(UTF_8);

    private final NameTable names;
    private byte[] bytes = new byte[FIRST_BYTES];
    private int length;
    private int lines;

    JsonLines(NameTable names) {
        this.names = names;
    }

    /** Returns the number of lines. */
    int lines() {
        return lines;
    }

    /** The lines, to be read. */
    ByteBuffer content() {
        return ByteBuffer.wrap(bytes, 0, length);
    }

    /** Begins anew. */
    void clear() {
        length = 0;
        lines = 0;
    }

    /**
     * Adds a line.
     *
     * @param share of connections that are logged: told where it is not all of them
     */
    void add(long entry, double share) {
        raw("{\"time\":\"");
        raw(TIME.format(Instant.ofEpochMilli(AccessEntry.startMillis(entry))));
        raw("\",\"peer\":\"");
        peer(entry);
        raw("\"");
        name("listener", AccessEntry.listener(entry));
        text("sni", AccessEntry.serverName(entry), AccessEntry.serverNameLength(entry));
        text("ja4", AccessEntry.fingerprint(entry), AccessEntry.fingerprintLength(entry));
        if (AccessEntry.kind(entry) != NameTable.NONE) {
            handshake(entry);
        }
        number("bytes_from_client", AccessEntry.fromClient(entry));
        number("bytes_to_client", AccessEntry.toClient(entry));
        number("duration_us", AccessEntry.durationMicros(entry));
        name("backend", AccessEntry.backend(entry));
        name("server", AccessEntry.server(entry));
        name("end", AccessEntry.end(entry));
        if (share < 1) {
            key("sample");
            raw(Double.toString(share));
        }
        raw("}\n");
        lines++;
    }

    private void handshake(long entry) {
        name("alpn", AccessEntry.alpn(entry));
        name("version", AccessEntry.version(entry));
        name("cipher", AccessEntry.cipher(entry));
        name("group", AccessEntry.group(entry));
        name("signature", AccessEntry.signature(entry));
        text("client_subject", AccessEntry.subject(entry), AccessEntry.subjectLength(entry));
        name("handshake", AccessEntry.kind(entry));
        name("miss", AccessEntry.miss(entry));
        name("ticket", AccessEntry.ticket(entry));
        number("queue_us", AccessEntry.queueMicros(entry));
        number("handshake_us", AccessEntry.handshakeMicros(entry));
        number("handshake_wall_us", AccessEntry.wallMicros(entry));
    }

    private void peer(long entry) {
        boolean isIpv6 = AccessEntry.isIpv6(entry);
        byte[] address = new byte[isIpv6 ? IPV6_BYTES : IPV4_BYTES];
        RawMemory.copy(AccessEntry.addressOfPeer(entry), address, 0, address.length);
        try {
            raw(InetText.inUrl(InetAddress.getByAddress(address)));
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException("an address of " + address.length + " bytes", impossible);
        }
        raw(":");
        raw(Integer.toString(AccessEntry.port(entry)));
    }

    /** A text in the entry; left out when it is empty. */
    private void text(String key, long address, int count) {
        if (count == 0) {
            return;
        }
        key(key);
        one('"');
        for (int i = 0; i < count; i++) {
            byte b = RawMemory.getByte(address + i);
            escaped(b == AccessEntry.NOT_ASCII ? '\uFFFD' : (char) b);
        }
        one('"');
    }

    private void name(String key, int number) {
        String name = names.name(number);
        if (!name.isEmpty()) {
            text(key, name);
        }
    }

    private void text(String key, String value) {
        key(key);
        one('"');
        for (int i = 0; i < value.length(); i++) {
            escaped(value.charAt(i));
        }
        one('"');
    }

    private void number(String key, long value) {
        key(key);
        raw(Long.toString(value));
    }

    private void key(String key) {
        raw(",\"");
        raw(key);
        raw("\":");
    }

    /** A character of a text. All that is not printable ASCII is escaped, so that a line is one in every encoding. */
    private void escaped(char c) {
        if (c == '"' || c == '\\') {
            one('\\');
            one(c);
        } else if (c >= ' ' && c < 0x7F) {
            one(c);
        } else {
            raw("\\u");
            for (int shift = Short.SIZE - 4; shift >= 0; shift -= 4) {
                one((char) HEXADECIMAL[(c >> shift) & 0xF]);
            }
        }
    }

    private void raw(String ascii) {
        for (int i = 0; i < ascii.length(); i++) {
            one(ascii.charAt(i));
        }
    }

    private void one(char ascii) {
        if (length == bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * bytes.length);
        }
        bytes[length++] = (byte) ascii;
    }
}
