package dev.sluice.tls.engine;

import dev.sluice.tls.Bytes;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * A ClientHello of TLS 1.3 (RFC 8446 section 4.1.2) made field by field, so that a test can break one rule. As it is
 * created it is one that every server answers: a share for X25519, one suite, and what section 9.2 asks for.
 */
final class CraftedHello {
    static final int SERVER_NAME = 0;
    static final int STATUS_REQUEST = 5;
    static final int SUPPORTED_GROUPS = 10;
    static final int SIGNATURE_ALGORITHMS = 13;
    static final int ALPN = 16;
    static final int EARLY_DATA = 42;
    static final int PRE_SHARED_KEY = 41;
    static final int SUPPORTED_VERSIONS = 43;
    static final int COOKIE = 44;
    static final int PSK_KEY_EXCHANGE_MODES = 45;
    static final int KEY_SHARE = 51;

    static final int X25519 = 0x001D;
    static final int SECP256R1 = 0x0017;
    static final int X25519MLKEM768 = 0x11EC;

    private static final HexFormat HEX = HexFormat.of();
    private static final int HANDSHAKE = 22;
    private static final int CLIENT_HELLO = 1;

    /** One extension. */
    @SuppressWarnings("ArrayRecordComponent") // of a test
    private record Extension(int type, byte[] body) {}

    private final List<Extension> extensions = new ArrayList<>();
    private int legacyVersion = 0x0303;
    private byte[] sessionId = Bytes.random(32, 1);
    private byte[] suites = HEX.parseHex("1301");
    private byte[] compression = {0};
    private byte[] trailer = {};

    CraftedHello() {
        with(SUPPORTED_VERSIONS, "020304");
        with(SUPPORTED_GROUPS, "0004001d0017");
        with(SIGNATURE_ALGORITHMS, "000404030804");
        with(PSK_KEY_EXCHANGE_MODES, "0101");
        with(KEY_SHARE, shares(X25519, Bytes.random(32, 2)));
    }

    /** Reads the fields of a message that follows the rules. */
    static CraftedHello of(byte[] record) {
        CraftedHello hello = new CraftedHello();
        hello.extensions.clear();
        ByteBuffer in = ByteBuffer.wrap(record).position(5 + 4 + 2 + 32);
        hello.sessionId = take(in, in.get() & 0xFF);
        hello.suites = take(in, in.getShort() & 0xFFFF);
        hello.compression = take(in, in.get() & 0xFF);
        in.getShort();
        while (in.hasRemaining()) {
            int type = in.getShort() & 0xFFFF;
            hello.extensions.add(new Extension(type, take(in, in.getShort() & 0xFFFF)));
        }
        return hello;
    }

    /** Makes the body of key_share (section 4.2.8). */
    static String shares(int group, byte[] key) {
        return vector(HEX.toHexDigits((short) group) + vector(HEX.formatHex(key)));
    }

    /** Puts a length of two bytes before something. */
    static String vector(String hex) {
        return HEX.toHexDigits((short) (hex.length() / 2)) + hex;
    }

    CraftedHello legacyVersion(int version) {
        legacyVersion = version;
        return this;
    }

    CraftedHello sessionId(byte[] id) {
        sessionId = id;
        return this;
    }

    CraftedHello suites(String hex) {
        suites = HEX.parseHex(hex);
        return this;
    }

    CraftedHello compression(String hex) {
        compression = HEX.parseHex(hex);
        return this;
    }

    /** Appends bytes behind the extensions, inside the message. */
    CraftedHello trailer(String hex) {
        trailer = HEX.parseHex(hex);
        return this;
    }

    /** Sets the body of an extension where it stands, or appends the extension. */
    CraftedHello with(int type, String hex) {
        Extension extension = new Extension(type, HEX.parseHex(hex));
        for (int i = 0; i < extensions.size(); i++) {
            if (extensions.get(i).type() == type) {
                extensions.set(i, extension);
                return this;
            }
        }
        return append(type, hex);
    }

    /** Appends an extension, whether or not it is there already. */
    CraftedHello append(int type, String hex) {
        extensions.add(new Extension(type, HEX.parseHex(hex)));
        return this;
    }

    CraftedHello without(int type) {
        extensions.removeIf(extension -> extension.type() == type);
        return this;
    }

    /** Returns the body of an extension that is there. */
    byte[] body(int type) {
        return extensions.stream()
                .filter(extension -> extension.type() == type)
                .findFirst()
                .orElseThrow()
                .body();
    }

    byte[] sessionId() {
        return sessionId;
    }

    /** Returns the message in one record. */
    byte[] record() {
        return record(HANDSHAKE, message());
    }

    /** Returns the message in two records, the first with some bytes of it. */
    byte[] records(int first) {
        byte[] message = message();
        return Bytes.join(
                record(HANDSHAKE, Arrays.copyOf(message, first)),
                record(HANDSHAKE, Arrays.copyOfRange(message, first, message.length)));
    }

    /** Returns the message with its header. */
    byte[] message() {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        put16(body, legacyVersion);
        body.writeBytes(Bytes.random(32, 3));
        body.write(sessionId.length);
        body.writeBytes(sessionId);
        put16(body, suites.length);
        body.writeBytes(suites);
        body.write(compression.length);
        body.writeBytes(compression);
        ByteArrayOutputStream list = new ByteArrayOutputStream();
        for (Extension extension : extensions) {
            put16(list, extension.type());
            put16(list, extension.body().length);
            list.writeBytes(extension.body());
        }
        put16(body, list.size());
        body.writeBytes(list.toByteArray());
        body.writeBytes(trailer);
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        message.write(CLIENT_HELLO);
        message.write(0);
        put16(message, body.size());
        message.writeBytes(body.toByteArray());
        return message.toByteArray();
    }

    static byte[] record(int type, byte[] content) {
        ByteArrayOutputStream record = new ByteArrayOutputStream();
        record.write(type);
        put16(record, 0x0301);
        put16(record, content.length);
        record.writeBytes(content);
        return record.toByteArray();
    }

    private static void put16(ByteArrayOutputStream out, int value) {
        out.write(value >>> 8);
        out.write(value);
    }

    private static byte[] take(ByteBuffer from, int length) {
        byte[] taken = new byte[length];
        from.get(taken);
        return taken;
    }
}
