package dev.sluice.gateway.proxyprotocol;

import java.util.Arrays;

/** The length of a PROXY header, found in bytes that may be incomplete. */
public final class HeaderLength {
    /** More must come before it can be told. */
    public static final int UNKNOWN_YET = 0;

    /** The longest header that is taken: addresses, and more fields than anybody sends. */
    public static final int BYTES_MAX = 4096;

    private HeaderLength() {}

    /** Returns true when a byte may begin a PROXY header, and no ClientHello. */
    public static boolean mayBegin(byte first) {
        return first == VersionOne.PREFIX[0] || first == VersionTwo.SIGNATURE[0];
    }

    /**
     * Returns the length of the header that begins with these bytes.
     *
     * @param bytes from the begin of the connection
     * @param count how many there are
     * @return in bytes, more than there are perhaps; {@link #UNKNOWN_YET}
     * @throws ProxyProtocolException when no header begins like this
     */
    public static int of(byte[] bytes, int count) throws ProxyProtocolException {
        if (count == 0) {
            return UNKNOWN_YET;
        }
        if (begins(bytes, count, VersionOne.PREFIX)) {
            return lengthOfLine(bytes, count);
        }
        if (begins(bytes, count, VersionTwo.SIGNATURE)) {
            return lengthOfBinary(bytes, count);
        }
        throw new ProxyProtocolException("the connection does not start with a PROXY header: first byte="
                + Byte.toUnsignedInt(bytes[0]) + "; have the proxy send one, or take its address out of from");
    }

    private static boolean begins(byte[] bytes, int count, byte[] pattern) {
        int length = Math.min(count, pattern.length);
        return Arrays.equals(bytes, 0, length, pattern, 0, length);
    }

    private static int lengthOfLine(byte[] bytes, int count) throws ProxyProtocolException {
        for (int i = 0; i < Math.min(count, VersionOne.LINE_BYTES_MAX); i++) {
            if (bytes[i] == '\n') {
                return i + 1;
            }
        }
        if (count >= VersionOne.LINE_BYTES_MAX) {
            throw new ProxyProtocolException("no end of the PROXY line within " + VersionOne.LINE_BYTES_MAX + " bytes");
        }
        return UNKNOWN_YET;
    }

    private static int lengthOfBinary(byte[] bytes, int count) throws ProxyProtocolException {
        if (count < VersionTwo.FIXED_BYTES) {
            return UNKNOWN_YET;
        }
        int rest = Byte.toUnsignedInt(bytes[VersionTwo.FIXED_BYTES - 2]) << Byte.SIZE
                | Byte.toUnsignedInt(bytes[VersionTwo.FIXED_BYTES - 1]);
        int length = VersionTwo.FIXED_BYTES + rest;
        if (length > BYTES_MAX) {
            throw new ProxyProtocolException(
                    "the PROXY header says that it has " + length + " bytes; at most " + BYTES_MAX + " are taken");
        }
        return length;
    }
}
