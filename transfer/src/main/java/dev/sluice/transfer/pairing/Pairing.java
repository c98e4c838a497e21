package dev.sluice.transfer.pairing;

import dev.sluice.ffi.openssl.CurveP256;
import dev.sluice.ffi.openssl.ExternalPsk;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.transfer.identity.KeyFingerprint;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * One side of a pairing, without I/O: a message each way, and then the same external PSK on both sides if both have the
 * same code.
 *
 * <pre>
 *   0                 14                  46                    111
 *   +-----------------+-------------------+---------------------+
 *   | sluice-pair/1\n | fingerprint       | message of SPAKE2   |
 *   +-----------------+-------------------+---------------------+
 * </pre>
 *
 * <p>The fingerprints are the identities of SPAKE2: a message with an exchanged fingerprint leads to another PSK, so a
 * handshake with the PSK confirms both. The initiator is the client of that handshake and proves its key first.
 */
public final class Pairing implements AutoCloseable {
    private static final byte[] MAGIC = ascii("sluice-pair/1\n");

    /** Size of a message. */
    public static final int MESSAGE_BYTES = MAGIC.length + KeyFingerprint.BYTES + Spake2.MESSAGE_BYTES;

    private static final byte[] PSK_IDENTITY = ascii("sluice-pair/1");
    private static final byte[] PASSWORD_LABEL = ascii("sluice-pair/1 password ");
    private static final byte[] PSK_LABEL = ascii("sluice-pair/1 psk");

    private final CurveP256 curve = new CurveP256();
    private final Spake2.Role role;
    private final KeyFingerprint own;
    private final Spake2 exchange;

    private Pairing(Spake2.Role role, PairingCode code, KeyFingerprint own) {
        this.role = role;
        this.own = own;
        byte[] password = password(code);
        byte[] secret = curve.randomScalar();
        this.exchange = new Spake2(curve, role, password, secret);
        Arrays.fill(password, (byte) 0);
        Arrays.fill(secret, (byte) 0);
    }

    /** Creates the side that was given the code and connects. The caller closes it. */
    public static Pairing initiator(PairingCode code, KeyFingerprint own) throws CodeSpentException {
        code.spend();
        return new Pairing(Spake2.Role.INITIATOR, code, own);
    }

    /**
     * Creates the side that made the code, when the initiator's message has arrived; a visitor without a message spends
     * no guess. The caller closes it.
     */
    public static Pairing responder(PairingCode code, KeyFingerprint own) throws CodeSpentException {
        code.spend();
        return new Pairing(Spake2.Role.RESPONDER, code, own);
    }

    /** Hashes to twice the size of a scalar, so that the result is unbiased: RFC 9382 section 3.2. */
    private byte[] password(PairingCode code) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-512");
            digest.update(PASSWORD_LABEL);
            return curve.reduce(digest.digest(ascii(code.secret())));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-512 is missing in this JDK", e);
        }
    }

    /** Returns the message for the peer: {@link #MESSAGE_BYTES} bytes. */
    public byte[] message() {
        return ByteBuffer.allocate(MESSAGE_BYTES)
                .put(MAGIC)
                .put(own.digest())
                .put(exchange.message())
                .array();
    }

    /**
     * Checks that bytes begin like a pairing message.
     *
     * @throws PairingException when the peer speaks something else
     */
    public static void requireMessage(byte[] message) throws PairingException {
        if (message.length != MESSAGE_BYTES || !Arrays.equals(message, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw new PairingException("the peer does not pair; check the address, and update the older side");
        }
    }

    /** Returns the fingerprint that a message claims; confirmed by a handshake with the {@link #psk}. */
    public static KeyFingerprint fingerprint(byte[] message) {
        return KeyFingerprint.of(Arrays.copyOfRange(message, MAGIC.length, MAGIC.length + KeyFingerprint.BYTES));
    }

    /**
     * Derives the PSK.
     *
     * @param peerMessage as checked by {@link #requireMessage}
     * @return the caller closes it after the contexts that use it
     * @throws PairingException when the message holds no point of the curve
     */
    public ExternalPsk psk(byte[] peerMessage) throws PairingException {
        byte[] peer = fingerprint(peerMessage).digest();
        byte[] ours = own.digest();
        byte[] point = Arrays.copyOfRange(peerMessage, MAGIC.length + KeyFingerprint.BYTES, MESSAGE_BYTES);
        boolean first = role == Spake2.Role.INITIATOR;
        byte[] shared;
        try {
            shared = exchange.key(point, first ? ours : peer, first ? peer : ours);
        } catch (OpenSslException e) {
            throw new PairingException("the peer sent no point of the curve: " + e.getMessage());
        }
        byte[] key = mac(shared);
        Arrays.fill(shared, (byte) 0);
        try {
            return new ExternalPsk(PSK_IDENTITY, key);
        } finally {
            Arrays.fill(key, (byte) 0);
        }
    }

    private static byte[] mac(byte[] key) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(PSK_LABEL);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HMAC-SHA256 is missing in this JDK", e);
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Wipes the secrets. */
    @Override
    public void close() {
        exchange.close();
        curve.close();
    }
}
