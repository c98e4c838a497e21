package dev.sluice.config.model;

import java.net.InetAddress;
import java.util.Arrays;

/**
 * A range of addresses with a common prefix: {@code 10.0.0.0/8}, {@code fd00::/8}, or one address.
 *
 * @param text the range as it was written
 * @param address the prefix, filled with zeros
 * @param bits the length of the prefix
 */
public record AddressRange(String text, InetAddress address, int bits) {
    /**
     * Parses a range.
     *
     * @throws IllegalArgumentException with value, cause and remedy
     */
    public static AddressRange parse(String text) {
        int slash = text.indexOf('/');
        try {
            InetAddress address = InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash));
            int most = address.getAddress().length * Byte.SIZE;
            int bits = slash < 0 ? most : Integer.parseInt(text, slash + 1, text.length(), 10);
            if (bits >= 0 && bits <= most) {
                return new AddressRange(text, address, bits);
            }
        } catch (IllegalArgumentException notOne) {
            // reported below, like too many bits
        }
        throw new IllegalArgumentException("\"" + text
                + "\" is not a range of addresses; write for example 10.0.0.0/8, 192.0.2.1 or" + " \"fd00::/8\"");
    }

    /** Returns true for an address in this range. */
    boolean contains(InetAddress other) {
        byte[] mine = address.getAddress();
        byte[] its = other.getAddress();
        int whole = bits / Byte.SIZE;
        if (mine.length != its.length || !Arrays.equals(mine, 0, whole, its, 0, whole)) {
            return false;
        }
        int rest = bits % Byte.SIZE;
        return rest == 0 || ((mine[whole] ^ its[whole]) & 0xFF) >>> (Byte.SIZE - rest) == 0;
    }
}
