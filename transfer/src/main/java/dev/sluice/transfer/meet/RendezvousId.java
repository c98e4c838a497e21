package dev.sluice.transfer.meet;

import dev.sluice.transfer.identity.KeyFingerprint;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The name under which two peers meet: 32 bytes. Not secret, and made of nothing that is: a hash over a short secret
 * could be reversed by trying all of them, so only the slot of a pairing code goes into it, or a fingerprint.
 * Immutable.
 */
public final class RendezvousId {
    /** Size of an id. */
    public static final int BYTES = 32;

    private static final String SLOT_LABEL = "sluice-meet/1 slot ";
    private static final String KEY_LABEL = "sluice-meet/1 key ";
    private static final int SHOWN_BYTES = 4;

    private final byte[] bytes;

    private RendezvousId(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Returns the id for the slot of a pairing code: SHA-256 of a label and the number. */
    public static RendezvousId ofSlot(int slot) {
        return new RendezvousId(sha256().digest((SLOT_LABEL + slot).getBytes(StandardCharsets.US_ASCII)));
    }

    /** Returns the id of a host that shows its key instead of a code: SHA-256 of a label and the fingerprint. */
    public static RendezvousId ofKey(KeyFingerprint key) {
        return new RendezvousId(sha256().digest((KEY_LABEL + key).getBytes(StandardCharsets.US_ASCII)));
    }

    /**
     * Creates an id from its bytes, which are copied.
     *
     * @throws IllegalArgumentException unless there are {@value #BYTES}
     */
    public static RendezvousId of(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException("a rendezvous id has " + BYTES + " bytes, these are " + bytes.length);
        }
        return new RendezvousId(bytes.clone());
    }

    /** Returns a copy of the bytes. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** Returns a hash of a label, this id and other bytes. */
    byte[] hash(String label, byte[] more) {
        MessageDigest digest = sha256();
        digest.update(label.getBytes(StandardCharsets.US_ASCII));
        digest.update(bytes);
        return digest.digest(more);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is missing in this JDK", e);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RendezvousId that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** Returns the first bytes in hexadecimal. */
    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes, 0, SHOWN_BYTES);
    }
}
