package dev.sluice.doctor.wire;

import java.security.SecureRandom;
import java.util.List;

/**
 * A first message that only elicits an answer: the client has no key for it.
 *
 * <p>With TLS 1.3 it has no key share (as RFC 8446 section 4.2.8 permits), so that the server names its suite and group
 * in a HelloRetryRequest, even for groups that we cannot compute.
 *
 * @param version the only offered version
 * @param suites numbers of suites by preference
 * @param groups numbers of groups by preference
 * @param signatures numbers of signature schemes by preference
 * @param serverName server name for SNI; "" for none
 * @param alpn protocols by preference; empty for none
 * @param share true for a share for X25519, as most clients send
 */
public record ClientHello(
        Version version,
        List<Integer> suites,
        List<Integer> groups,
        List<Integer> signatures,
        String serverName,
        List<String> alpn,
        boolean share) {
    /** The numbers of the signature schemes in use: ECDSA, EdDSA, RSA-PSS, RSA PKCS #1; SHA-1 last. */
    static final List<Integer> ALL_SIGNATURES = List.of(
            0x0403, 0x0503, 0x0603, 0x0807, 0x0808, 0x0804, 0x0805, 0x0806, 0x0809, 0x080A, 0x080B, 0x0401, 0x0501,
            0x0601, 0x0203, 0x0201);

    /** The schemes for EC and EdDSA keys. */
    public static final List<Integer> ECDSA_SIGNATURES = List.of(0x0403, 0x0503, 0x0603, 0x0807, 0x0808);

    /** The schemes for RSA keys. */
    public static final List<Integer> RSA_SIGNATURES = List.of(0x0804, 0x0805, 0x0806, 0x0401, 0x0501, 0x0601);

    private static final int HANDSHAKE = 22;
    private static final int CLIENT_HELLO = 1;
    private static final int RANDOM_BYTES = 32;
    private static final int X25519_BYTES = 32;
    private static final int RENEGOTIATION_SCSV = 0x00FF; // RFC 5746 section 3.3

    private static final int SERVER_NAME = 0;
    private static final int SUPPORTED_GROUPS = 10;
    private static final int POINT_FORMATS = 11;
    private static final int SIGNATURES = 13;
    private static final int ALPN = 16;
    private static final int EXTENDED_MASTER_SECRET = 23;
    private static final int SESSION_TICKET = 35;
    private static final int SUPPORTED_VERSIONS = 43;
    private static final int PSK_MODES = 45;
    private static final int KEY_SHARE = 51;

    /** Copies the lists. */
    public ClientHello {
        suites = List.copyOf(suites);
        groups = List.copyOf(groups);
        signatures = List.copyOf(signatures);
        alpn = List.copyOf(alpn);
    }

    /** Returns a hello with all suites of the version, all groups, and all signatures. */
    public static ClientHello of(Version version, String serverName) {
        List<Suite> suites = version == Version.TLS_1_3 ? Suite.OF_TLS_1_3 : Suite.OF_OLDER;
        return new ClientHello(
                version,
                suites.stream().map(Suite::number).toList(),
                Group.ALL.stream().map(Group::number).toList(),
                ALL_SIGNATURES,
                serverName,
                List.of(),
                false);
    }

    /** Returns the same hello with other suites. */
    public ClientHello withSuites(List<Integer> others) {
        return new ClientHello(version, others, groups, signatures, serverName, alpn, share);
    }

    /** Returns the same hello with other groups. */
    public ClientHello withGroups(List<Integer> others) {
        return new ClientHello(version, suites, others, signatures, serverName, alpn, share);
    }

    /** Returns the same hello with other signature schemes. */
    public ClientHello withSignatures(List<Integer> others) {
        return new ClientHello(version, suites, groups, others, serverName, alpn, share);
    }

    /** Returns the same hello with a share for X25519. */
    public ClientHello withShare() {
        return new ClientHello(version, suites, groups, signatures, serverName, alpn, true);
    }

    /** Returns the hello as one record. */
    public byte[] toRecord(SecureRandom random) {
        byte[] body = body(random);
        int recordVersion = version == Version.SSL_3 ? Version.SSL_3.number() : Version.TLS_1_0.number();
        ByteWriter message = new ByteWriter().u8(CLIENT_HELLO).u24(body.length).bytes(body);
        return new ByteWriter()
                .u8(HANDSHAKE)
                .u16(recordVersion)
                .vector16(message)
                .toBytes();
    }

    private byte[] body(SecureRandom random) {
        boolean tls13 = version == Version.TLS_1_3;
        ByteWriter body = new ByteWriter()
                .u16(Math.min(version.number(), Version.TLS_1_2.number()))
                .bytes(bytes(random, RANDOM_BYTES))
                .vector8(new ByteWriter().bytes(tls13 ? bytes(random, RANDOM_BYTES) : new byte[0]))
                .vector16(suiteNumbers())
                .vector8(new ByteWriter().u8(0)); // no compression
        if (version != Version.SSL_3) {
            body.vector16(tls13 ? extensionsOf13(random) : extensionsOfOlder());
        }
        return body.toBytes();
    }

    private ByteWriter suiteNumbers() {
        ByteWriter numbers = numbers(suites);
        return version == Version.TLS_1_3 ? numbers : numbers.u16(RENEGOTIATION_SCSV);
    }

    private ByteWriter extensionsOf13(SecureRandom random) {
        ByteWriter versions = new ByteWriter().u16(version.number());
        ByteWriter shares = new ByteWriter();
        if (share) {
            shares.u16(Group.X25519.number()).vector16(new ByteWriter().bytes(bytes(random, X25519_BYTES)));
        }
        return extension(commonExtensions(), SUPPORTED_VERSIONS, new ByteWriter().vector8(versions))
                .u16(PSK_MODES)
                .vector16(new ByteWriter().vector8(new ByteWriter().u8(1)))
                .u16(KEY_SHARE)
                .vector16(new ByteWriter().vector16(shares));
    }

    private ByteWriter extensionsOfOlder() {
        ByteWriter extensions = commonExtensions();
        extension(extensions, POINT_FORMATS, new ByteWriter().vector8(new ByteWriter().u8(0)));
        extension(extensions, EXTENDED_MASTER_SECRET, new ByteWriter());
        return extension(extensions, SESSION_TICKET, new ByteWriter());
    }

    private ByteWriter commonExtensions() {
        ByteWriter extensions = new ByteWriter();
        if (!serverName.isEmpty()) {
            ByteWriter name = new ByteWriter().u8(0).vector16(new ByteWriter().ascii(serverName));
            extension(extensions, SERVER_NAME, new ByteWriter().vector16(name));
        }
        extension(extensions, SUPPORTED_GROUPS, new ByteWriter().vector16(numbers(groups)));
        if (version.number() >= Version.TLS_1_2.number()) {
            extension(extensions, SIGNATURES, new ByteWriter().vector16(numbers(signatures)));
        }
        if (!alpn.isEmpty()) {
            ByteWriter names = new ByteWriter();
            alpn.forEach(name -> names.vector8(new ByteWriter().ascii(name)));
            extension(extensions, ALPN, new ByteWriter().vector16(names));
        }
        return extensions;
    }

    private static ByteWriter extension(ByteWriter to, int type, ByteWriter content) {
        return to.u16(type).vector16(content);
    }

    private static ByteWriter numbers(List<Integer> values) {
        ByteWriter numbers = new ByteWriter();
        values.forEach(numbers::u16);
        return numbers;
    }

    private static byte[] bytes(SecureRandom random, int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }
}
