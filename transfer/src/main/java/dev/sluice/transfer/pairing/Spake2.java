package dev.sluice.transfer.pairing;

import dev.sluice.ffi.openssl.CurveP256;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * One side of SPAKE2 on P-256 with SHA-256: RFC 9382. Each side sends one message and derives the same key if both have
 * the same password and the same view of both identities; otherwise the keys differ, and neither message allows to test
 * other passwords.
 *
 * <p>Confirmation of the key is left to its use. Confined to one thread; {@link #close()} wipes the secrets.
 */
final class Spake2 implements AutoCloseable {
    /** Size of a message. */
    static final int MESSAGE_BYTES = CurveP256.POINT_BYTES;

    /** Size of the key: Ke, half of the transcript's digest. */
    static final int KEY_BYTES = 16;

    // RFC 9382 section 4: points whose logarithms nobody knows.
    private static final byte[] M =
            HexFormat.of().parseHex("02886e2f97ace46e55ba9dd7242579f2993b64e16ef3dcab95afd497333d8fa12f");
    private static final byte[] N =
            HexFormat.of().parseHex("03d8bbd6c639c62937b04d997f38c3770719c629d7014d49a24b4f98baa1292b49");

    /** The roles, which the two sides must share out. */
    enum Role {
        /** The RFC's A. */
        INITIATOR,
        /** The RFC's B. */
        RESPONDER;

        Role other() {
            return this == INITIATOR ? RESPONDER : INITIATOR;
        }

        private byte[] ownMask() {
            return this == INITIATOR ? M : N;
        }

        private byte[] peerMask() {
            return other().ownMask();
        }
    }

    private final CurveP256 curve;
    private final Role role;
    private final byte[] password;
    private final byte[] secret;
    private final byte[] message;

    /**
     * Starts an exchange.
     *
     * @param curve kept by the caller, and open as long as this object
     * @param password the RFC's w: a scalar, copied
     * @param secret the RFC's x or y: a random scalar for this exchange only, copied
     */
    Spake2(CurveP256 curve, Role role, byte[] password, byte[] secret) {
        this.curve = curve;
        this.role = role;
        this.password = password.clone();
        this.secret = secret.clone();
        this.message = curve.add(curve.multiply(secret), curve.multiply(password, role.ownMask()));
    }

    /** Returns the message for the peer. */
    byte[] message() {
        return message.clone();
    }

    /**
     * Derives the key.
     *
     * @param peerMessage of {@value #MESSAGE_BYTES} bytes
     * @param initiator the identity of the initiator
     * @param responder the identity of the responder
     * @return {@value #KEY_BYTES} bytes, which the caller wipes
     * @throws dev.sluice.ffi.openssl.OpenSslException when the message is no point of the curve, or a degenerate one
     */
    byte[] key(byte[] peerMessage, byte[] initiator, byte[] responder) {
        byte[] unmasked = curve.subtract(peerMessage, curve.multiply(password, role.peerMask()));
        byte[] shared = curve.multiply(secret, unmasked);
        boolean first = role == Role.INITIATOR;
        byte[] transcript = transcript(
                initiator, responder, first ? message : peerMessage, first ? peerMessage : message, shared, password);
        byte[] digest = sha256(transcript);
        byte[] key = Arrays.copyOf(digest, KEY_BYTES);
        Arrays.fill(shared, (byte) 0);
        Arrays.fill(unmasked, (byte) 0);
        Arrays.fill(transcript, (byte) 0);
        Arrays.fill(digest, (byte) 0);
        return key;
    }

    /** Returns the RFC's TT: each part after its length, 8 bytes in little-endian order. */
    private static byte[] transcript(byte[]... parts) {
        int bytes =
                Arrays.stream(parts).mapToInt(part -> Long.BYTES + part.length).sum();
        ByteBuffer out = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        for (byte[] part : parts) {
            out.putLong(part.length).put(part);
        }
        return out.array();
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is missing in this JDK", e);
        }
    }

    @Override
    public void close() {
        Arrays.fill(password, (byte) 0);
        Arrays.fill(secret, (byte) 0);
    }
}
