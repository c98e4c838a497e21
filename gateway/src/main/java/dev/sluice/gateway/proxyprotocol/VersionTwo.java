package dev.sluice.gateway.proxyprotocol;

import dev.sluice.tls.certificate.PeerCertificate;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * Version 2 of the PROXY protocol, binary (proxy-protocol.txt section 2.2). Numbers are in network byte order.
 *
 * <pre>
 *   0                         12        13       14           16
 *   +--------------------------+---------+--------+------------+----------------------------+------+
 *   | signature, 12 bytes      | version | family | length of  | addresses and ports:       | TLVs |
 *   | 0D 0A 0D 0A 00 0D 0A ... | command |        | the rest   | 12 bytes IPv4, 36 IPv6     |      |
 *   +--------------------------+---------+--------+------------+----------------------------+------+
 *
 *   a TLV:  type (1)  length (2)  value
 *   the TLV 0x20 (SSL):  client bits (1)  verify (4)  TLVs of its own
 * </pre>
 */
final class VersionTwo {
    static final byte[] SIGNATURE = {0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A};
    static final int FIXED_BYTES = 16;
    private static final int FOUR_BYTES = 12;
    private static final int SIX_BYTES = 36;

    private static final int VERSION = 0x20;
    private static final int COMMAND_LOCAL = 0;
    private static final int COMMAND_PROXY = 1;
    private static final int FAMILY_UNSPECIFIED = 0x00;
    private static final int FAMILY_TCP4 = 0x11;
    private static final int FAMILY_TCP6 = 0x21;

    private static final int TYPE_ALPN = 0x01;
    private static final int TYPE_AUTHORITY = 0x02;
    private static final int TYPE_SSL = 0x20;
    private static final int SSL_VERSION = 0x21;
    private static final int SSL_COMMON_NAME = 0x22;
    private static final int SSL_CIPHER = 0x23;
    private static final int SSL_GROUP = 0x26;

    /** Ours, out of the range 0xE0 to 0xEF that is reserved for applications: one byte, 1 when resumed. */
    private static final int TYPE_RESUMED = 0xE0;

    /** Ours: four bytes, unsigned, microseconds that the TLS library took for the handshake. */
    private static final int TYPE_HANDSHAKE_MICROS = 0xE1;

    /**
     * Ours: one byte, 1: what follows begins with early data (RFC 8446 section 2.3), sent on before the client's
     * Finished.
     */
    private static final int TYPE_EARLY_DATA = 0xE2;

    /** Ours: the subject of the client's certificate as RFC 2253 text. */
    private static final int TYPE_CLIENT_SUBJECT = 0xE3;

    /** Ours: a subject alternative name of the client's certificate behind its kind, one TLV each. */
    private static final int TYPE_CLIENT_NAME = 0xE4;

    /** Ours: the SHA-256 digest of the client's certificate, 32 bytes. */
    private static final int TYPE_CLIENT_SHA256 = 0xE5;

    /** Ours: the JA4 fingerprint of the client, 36 bytes of ASCII. */
    private static final int TYPE_JA4 = 0xE6;

    private static final int CLIENT_SSL = 0x01;
    private static final int CLIENT_CERTIFICATE_CONNECTION = 0x02;
    private static final int CLIENT_CERTIFICATE_SESSION = 0x04;
    private static final int SSL_FIXED_BYTES = 5;
    private static final int TLV_FIXED_BYTES = 3;

    /** Longer texts are cut off; a server name or a protocol has at most 255 bytes, a common name 64 by X.520. */
    private static final int TEXT_BYTES_MAX = 255;

    /** Room for all TLVs at their longest, but for those of a client's certificate. */
    private static final int ENCODED_BYTES_MAX = 4096;

    /** Longer names of a client are left out: half of a name is another name. A SPIFFE id has 2,048 bytes at most. */
    private static final int CLIENT_NAME_BYTES_MAX = 2048;

    /** All names of a client together; those that do not fit any more are left out. */
    private static final int CLIENT_BYTES_MAX = 8192;

    private static final long MICROS_MAX = 0xFFFF_FFFFL;

    private VersionTwo() {}

    static byte[] encode(ProxyHeader header) {
        PeerCertificate client = header.tls().client();
        ByteBuffer out = ByteBuffer.allocate(ENCODED_BYTES_MAX + (client == null ? 0 : CLIENT_BYTES_MAX));
        out.put(SIGNATURE);
        putAddresses(out, header);
        putTls(out, header.tls());
        if (client != null) {
            putClient(out, client);
        }
        out.putShort(FIXED_BYTES - 2, (short) (out.position() - FIXED_BYTES));
        return Arrays.copyOf(out.array(), out.position());
    }

    private static void putAddresses(ByteBuffer out, ProxyHeader header) {
        InetSocketAddress source = header.source();
        InetSocketAddress destination = header.destination();
        boolean known = source != null && destination != null;
        out.put((byte) (VERSION | (known ? COMMAND_PROXY : COMMAND_LOCAL)));
        if (source == null || destination == null) {
            out.put((byte) FAMILY_UNSPECIFIED).putShort((short) 0);
            return;
        }
        boolean six = AddressBytes.isSix(source, destination);
        out.put((byte) (six ? FAMILY_TCP6 : FAMILY_TCP4)).putShort((short) 0);
        out.put(AddressBytes.of(source, six)).put(AddressBytes.of(destination, six));
        out.putShort((short) source.getPort()).putShort((short) destination.getPort());
    }

    private static void putTls(ByteBuffer out, TlsFacts tls) {
        putText(out, TYPE_ALPN, tls.alpn());
        putText(out, TYPE_AUTHORITY, tls.serverName());
        putText(out, TYPE_JA4, tls.fingerprint());
        if (!tls.isTls()) {
            return;
        }
        int start = out.position();
        out.put((byte) TYPE_SSL).putShort((short) 0);
        int certificate = tls.clientCertificate() ? CLIENT_CERTIFICATE_CONNECTION | CLIENT_CERTIFICATE_SESSION : 0;
        out.put((byte) (CLIENT_SSL | certificate));
        // "zero if the client presented a certificate and it was successfully verified, and non-zero otherwise"
        out.putInt(tls.clientCertificate() ? 0 : 1);
        putText(out, SSL_VERSION, tls.version());
        putText(out, SSL_COMMON_NAME, tls.commonName());
        putText(out, SSL_CIPHER, tls.cipher());
        putText(out, SSL_GROUP, tls.group());
        out.putShort(start + 1, (short) (out.position() - start - TLV_FIXED_BYTES));
        out.put((byte) TYPE_RESUMED).putShort((short) 1).put((byte) (tls.resumed() ? 1 : 0));
        if (tls.handshakeMicros() >= 0) {
            out.put((byte) TYPE_HANDSHAKE_MICROS).putShort((short) Integer.BYTES);
            out.putInt((int) Math.min(tls.handshakeMicros(), MICROS_MAX));
        }
        if (tls.earlyData()) {
            out.put((byte) TYPE_EARLY_DATA).putShort((short) 1).put((byte) 1);
        }
    }

    private static void putClient(ByteBuffer out, PeerCertificate client) {
        byte[] digest = HexFormat.of().parseHex(client.sha256());
        out.put((byte) TYPE_CLIENT_SHA256).putShort((short) digest.length).put(digest);
        putName(out, TYPE_CLIENT_SUBJECT, client.subject());
        client.alternativeNames().forEach(name -> putName(out, TYPE_CLIENT_NAME, name));
    }

    private static void putName(ByteBuffer out, int type, String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        boolean fits = bytes.length <= Math.min(CLIENT_NAME_BYTES_MAX, out.remaining() - TLV_FIXED_BYTES);
        if (fits && bytes.length > 0) {
            out.put((byte) type).putShort((short) bytes.length).put(bytes);
        }
    }

    private static void putText(ByteBuffer out, int type, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, TEXT_BYTES_MAX);
        if (length > 0) {
            out.put((byte) type).putShort((short) length).put(bytes, 0, length);
        }
    }

    static ProxyHeader decode(byte[] start, InputStream input) throws IOException {
        byte[] fixed = Arrays.copyOf(start, FIXED_BYTES);
        readFully(input, fixed, start.length);
        if (!Arrays.equals(fixed, 0, SIGNATURE.length, SIGNATURE, 0, SIGNATURE.length)) {
            throw new ProxyProtocolException("the connection does not start with the PROXY version 2 signature");
        }
        ByteBuffer head = ByteBuffer.wrap(fixed);
        int versionAndCommand = head.get(SIGNATURE.length);
        byte[] rest = new byte[Short.toUnsignedInt(head.getShort(FIXED_BYTES - 2))];
        readFully(input, rest, 0);
        return switch (versionAndCommand) {
            case VERSION | COMMAND_LOCAL -> ProxyHeader.UNKNOWN;
            case VERSION | COMMAND_PROXY -> decode(head.get(SIGNATURE.length + 1), fixed, rest);
            default ->
                throw new ProxyProtocolException("unknown PROXY version or command: byte 13="
                        + Integer.toHexString(versionAndCommand & 0xFF) + ", known are 20 and 21 (hexadecimal)");
        };
    }

    private static ProxyHeader decode(int family, byte[] fixed, byte[] restBytes) throws IOException {
        ByteBuffer rest = ByteBuffer.wrap(restBytes);
        int addressBytes = switch (family) {
            case FAMILY_TCP4 -> FOUR_BYTES;
            case FAMILY_TCP6 -> SIX_BYTES;
            default -> 0;
        };
        if (addressBytes == 0) {
            return ProxyHeader.UNKNOWN;
        }
        if (rest.remaining() < addressBytes) {
            throw new ProxyProtocolException("PROXY header too short for its addresses: family="
                    + Integer.toHexString(family) + ", bytes=" + rest.remaining() + ", needed=" + addressBytes);
        }
        HeaderChecksum.requireRight(fixed, restBytes, addressBytes);
        byte[] source = new byte[(addressBytes - 2 * Short.BYTES) / 2];
        byte[] destination = new byte[source.length];
        rest.get(source).get(destination);
        int sourcePort = Short.toUnsignedInt(rest.getShort());
        int destinationPort = Short.toUnsignedInt(rest.getShort());
        TlvReader tlvs = new TlvReader();
        tlvs.readAll(rest);
        return new ProxyHeader(
                new InetSocketAddress(InetAddress.getByAddress(source), sourcePort),
                new InetSocketAddress(InetAddress.getByAddress(destination), destinationPort),
                tlvs.facts());
    }

    private static void readFully(InputStream input, byte[] into, int from) throws IOException {
        int read = input.readNBytes(into, from, into.length - from);
        if (read != into.length - from) {
            throw new EOFException("the connection ended inside a PROXY header: " + read + " of " + (into.length - from)
                    + " bytes came");
        }
    }

    /** Gathers the TLVs that we know; others are skipped, as the specification asks. */
    private static final class TlvReader {
        private String version = "";
        private String cipher = "";
        private String group = "";
        private String serverName = "";
        private String alpn = "";
        private String commonName = "";
        private boolean clientCertificate;
        private boolean resumed;
        private long handshakeMicros = -1;
        private boolean earlyData;
        private String clientSubject = "";
        private final List<String> clientNames = new ArrayList<>();
        private String clientSha256 = "";
        private String fingerprint = "";
        private boolean inSsl;

        void readAll(ByteBuffer tlvs) throws ProxyProtocolException {
            try {
                while (tlvs.hasRemaining()) {
                    int type = Byte.toUnsignedInt(tlvs.get());
                    int length = Short.toUnsignedInt(tlvs.getShort());
                    take(type, tlvs.slice(tlvs.position(), length));
                    tlvs.position(tlvs.position() + length);
                }
            } catch (BufferUnderflowException | IndexOutOfBoundsException tooShort) {
                throw new ProxyProtocolException("a TLV of the PROXY header is longer than the header");
            }
        }

        private void take(int type, ByteBuffer value) throws ProxyProtocolException {
            switch (type) {
                case TYPE_ALPN -> alpn = text(value);
                case TYPE_AUTHORITY -> serverName = text(value);
                case TYPE_SSL -> takeSsl(value);
                case SSL_VERSION -> version = text(value);
                case SSL_COMMON_NAME -> commonName = text(value);
                case SSL_CIPHER -> cipher = text(value);
                case SSL_GROUP -> group = text(value);
                case TYPE_RESUMED -> resumed = value.get() != 0;
                case TYPE_HANDSHAKE_MICROS -> handshakeMicros = Integer.toUnsignedLong(value.getInt());
                case TYPE_EARLY_DATA -> earlyData = value.get() != 0;
                case TYPE_CLIENT_SUBJECT -> clientSubject = text(value);
                case TYPE_CLIENT_NAME -> clientNames.add(text(value));
                case TYPE_CLIENT_SHA256 -> clientSha256 = hex(value);
                case TYPE_JA4 -> fingerprint = text(value);
                default -> {}
            }
        }

        private void takeSsl(ByteBuffer value) throws ProxyProtocolException {
            if (inSsl) {
                throw new ProxyProtocolException("an SSL TLV inside an SSL TLV of the PROXY header");
            }
            if (value.remaining() < SSL_FIXED_BYTES) {
                throw new ProxyProtocolException("the SSL TLV of the PROXY header has " + value.remaining()
                        + " bytes, and needs " + SSL_FIXED_BYTES);
            }
            int client = value.get();
            int verify = value.getInt();
            int certificateBits = CLIENT_CERTIFICATE_CONNECTION | CLIENT_CERTIFICATE_SESSION;
            clientCertificate = (client & certificateBits) != 0 && verify == 0;
            inSsl = true;
            readAll(value);
            inSsl = false;
        }

        private static String text(ByteBuffer value) {
            return StandardCharsets.UTF_8.decode(value).toString();
        }

        private static String hex(ByteBuffer value) {
            byte[] bytes = new byte[value.remaining()];
            value.get(bytes);
            return HexFormat.of().formatHex(bytes);
        }

        TlsFacts facts() {
            return new TlsFacts(
                    version,
                    cipher,
                    group,
                    serverName,
                    alpn,
                    commonName,
                    clientCertificate,
                    resumed,
                    handshakeMicros,
                    earlyData,
                    clientSha256.isEmpty() ? null : new PeerCertificate(clientSubject, clientNames, clientSha256),
                    fingerprint);
        }
    }
}
