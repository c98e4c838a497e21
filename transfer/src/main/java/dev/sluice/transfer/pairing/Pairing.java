package dev.sluice.transfer.pairing;

import dev.sluice.ffi.openssl.CurveP256;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.transfer.identity.KeyFingerprint;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * One side of a pairing, without I/O: a message each way, then a TLS handshake in which each side proves the key that
 * it claimed, then a confirmation each way over that channel.
 *
 * <pre>
 *   0                 14                  46                    111
 *   +-----------------+-------------------+---------------------+
 *   | sluice-pair/1\n | fingerprint       | message of SPAKE2   |
 *   +-----------------+-------------------+---------------------+
 * </pre>
 *
 * <p>The confirmation is a MAC with the key of SPAKE2, whose identities are the fingerprints. It counts only inside the
 * channel that both keys authenticate: so its sender has the private key that it claimed, has the code, and has seen
 * the same two fingerprints.
 */
public final class Pairing implements AutoCloseable {
    private static final byte[] MAGIC = ascii("sluice-pair/1\n");

    /** Size of a message. */
    public static final int MESSAGE_BYTES = MAGIC.length + KeyFingerprint.BYTES + Spake2.MESSAGE_BYTES;

    /** Size of a confirmation: HMAC-SHA256. */
    public static final int CONFIRMATION_BYTES = 32;

    private static final byte[] PASSWORD_LABEL = ascii("sluice-pair/1 password ");
    private static final String CONFIRMATION_LABEL = "sluice-pair/1 confirm ";

    private final PairingCode code;
    private final CurveP256 curve = new CurveP256();
    private final Spake2.Role role;
    private final KeyFingerprint own;
    private final Spake2 exchange;
    private byte[] confirmation = new byte[0];
    private byte[] expected = new byte[0];

    private Pairing(Spake2.Role role, PairingCode code, KeyFingerprint own) {
        this.role = role;
        this.code = code;
        this.own = own;
        byte[] password = password();
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
    private byte[] password() {
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

    /** Returns the fingerprint that a message claims. */
    public static KeyFingerprint fingerprint(byte[] message) {
        return KeyFingerprint.of(Arrays.copyOfRange(message, MAGIC.length, MAGIC.length + KeyFingerprint.BYTES));
    }

    /**
     * Derives both confirmations.
     *
     * @param peerMessage as checked by {@link #requireMessage}
     * @throws PairingException when the message holds no point of the curve
     */
    public void received(byte[] peerMessage) throws PairingException {
        byte[] peer = fingerprint(peerMessage).digest();
        byte[] ours = own.digest();
        byte[] point = Arrays.copyOfRange(peerMessage, MAGIC.length + KeyFingerprint.BYTES, MESSAGE_BYTES);
        boolean first = role == Spake2.Role.INITIATOR;
        try {
            byte[] shared = exchange.key(point, first ? ours : peer, first ? peer : ours);
            confirmation = mac(shared, role);
            expected = mac(shared, role.other());
            Arrays.fill(shared, (byte) 0);
        } catch (OpenSslException e) {
            throw new PairingException("the peer sent no point of the curve: " + e.getMessage());
        }
    }

    /** Returns the bytes to send over the channel: {@link #CONFIRMATION_BYTES}, after {@link #received}. */
    public byte[] confirmation() {
        return confirmation.clone();
    }

    /**
     * Compares a confirmation, received over the channel. Until one is right, the code counts as lost at the close.
     *
     * @return true when it is that of a peer with the same code
     */
    public boolean confirm(byte[] received) {
        boolean right = expected.length == CONFIRMATION_BYTES && MessageDigest.isEqual(expected, received);
        if (right) {
            code.prove();
        }
        return right;
    }

    private static byte[] mac(byte[] key, Spake2.Role sender) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(ascii(CONFIRMATION_LABEL + sender.name().toLowerCase(Locale.ROOT)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HMAC-SHA256 is missing in this JDK", e);
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Wipes the secrets, and ends the use of the code. */
    @Override
    public void close() {
        code.lose();
        Arrays.fill(expected, (byte) 0);
        exchange.close();
        curve.close();
    }
}
