package dev.sluice.doctor.wire;

import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;

/**
 * The server's choice, or its request for another ClientHello.
 *
 * @param version number of the chosen version
 * @param suite number of the chosen suite
 * @param compression 0 for none
 * @param retry true for a HelloRetryRequest (RFC 8446 section 4.1.4)
 * @param group number of the chosen group; 0 if absent
 * @param extensions numbers of its extensions
 */
public record ServerHello(int version, int suite, int compression, boolean retry, int group, Set<Integer> extensions) {
    /** Extended master secret (RFC 7627). */
    public static final int EXTENDED_MASTER_SECRET = 23;

    /** Secure renegotiation (RFC 5746). */
    public static final int RENEGOTIATION_INFO = 0xFF01;

    /** SHA-256 of "HelloRetryRequest". */
    private static final byte[] RETRY_RANDOM =
            HexFormat.of().parseHex("cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c");

    private static final int MAX_SESSION_ID_BYTES = 32;
    private static final int SUPPORTED_VERSIONS = 43;
    private static final int KEY_SHARE = 51;

    /** Copies the set. */
    public ServerHello {
        extensions = Set.copyOf(extensions);
    }

    /** Parses the body of the message. */
    public static ServerHello parse(ByteReader body) throws MalformedException {
        int version = body.u16("server_version");
        boolean retry = Arrays.equals(body.bytes(RETRY_RANDOM.length, "random"), RETRY_RANDOM);
        int sessionId = body.vector8("session_id").remaining();
        if (sessionId > MAX_SESSION_ID_BYTES) {
            throw new MalformedException("session_id has " + sessionId + " bytes, more than 32");
        }
        int suite = body.u16("cipher_suite");
        int compression = body.u8("compression_method");
        int group = 0;
        Set<Integer> seen = new HashSet<>();
        ByteReader extensions = body.isEmpty() ? body : body.vector16("extensions");
        while (!extensions.isEmpty()) {
            int type = extensions.u16("extension_type");
            ByteReader content = extensions.vector16("extension_data");
            if (!seen.add(type)) {
                throw new MalformedException("extension " + type + " occurs twice");
            }
            if (type == SUPPORTED_VERSIONS) {
                version = content.u16("selected_version");
            } else if (type == KEY_SHARE) {
                group = content.u16("selected_group");
            }
        }
        if (!body.isEmpty()) {
            throw new MalformedException(body.remaining() + " bytes after the extensions of ServerHello");
        }
        return new ServerHello(version, suite, compression, retry, group, seen);
    }
}
