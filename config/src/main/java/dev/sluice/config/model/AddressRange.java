package dev.sluice.config.model;

import java.net.InetAddress;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A range of addresses with a common prefix: {@code 10.0.0.0/8}, {@code fd00::/8}, or one address. IPv4-mapped IPv6
 * addresses ({@code ::ffff:10.0.0.0/104}) are IPv4 addresses. Immutable.
 */
public final class AddressRange {
    private static final int MAPPED_BITS = 96;
    private static final int IPV4_BYTES = 4;

    private final String text;
    private final byte[] prefix;
    private final int bits;

    private AddressRange(String text, byte[] prefix, int bits) {
        this.text = text;
        this.prefix = prefix;
        this.bits = bits;
    }

    /**
     * Parses a range.
     *
     * @throws IllegalArgumentException with value, cause and remedy
     */
    public static AddressRange parse(String text) {
        int slash = text.indexOf('/');
        try {
            String literal = slash < 0 ? text : text.substring(0, slash);
            byte[] prefix = InetAddress.ofLiteral(literal).getAddress();
            int most = prefix.length * Byte.SIZE;
            boolean isMapped = prefix.length == IPV4_BYTES && literal.indexOf(':') >= 0;
            int written = slash < 0 ? most : Integer.parseInt(text, slash + 1, text.length(), 10);
            int bits = isMapped && slash >= 0 ? written - MAPPED_BITS : written;
            if (bits >= 0 && bits <= most) {
                return new AddressRange(text, prefix, bits);
            }
        } catch (IllegalArgumentException notOne) {
            // reported below, like too many bits
        }
        throw new IllegalArgumentException("\"" + text
                + "\" is not a range of addresses; write for example 10.0.0.0/8, 192.0.2.1 or" + " \"fd00::/8\"");
    }

    /** Returns the range as it was written. */
    public String text() {
        return text;
    }

    /** Returns true for an address in this range. */
    boolean contains(InetAddress other) {
        return contains(other.getAddress());
    }

    /** Returns true for an address in this range, by its 4 or 16 bytes. */
    boolean contains(byte[] address) {
        int whole = bits / Byte.SIZE;
        if (prefix.length != address.length || !Arrays.equals(prefix, 0, whole, address, 0, whole)) {
            return false;
        }
        int rest = bits % Byte.SIZE;
        return rest == 0 || ((prefix[whole] ^ address[whole]) & 0xFF) >>> (Byte.SIZE - rest) == 0;
    }

    /** Returns true when each address of another range is in this one. */
    public boolean covers(AddressRange other) {
        return bits <= other.bits && contains(other.prefix);
    }

    /** Returns true for the same bits. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof AddressRange range && bits == range.bits && Arrays.equals(prefix, range.prefix);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(prefix) * Integer.SIZE + bits;
    }

    @Override
    public String toString() {
        return text;
    }
}
