package dev.sluice.gateway.proxyprotocol;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The checksum that a version 2 header may carry: CRC-32C over the whole header, the checksum itself taken as zero
 * (proxy-protocol.txt section 2.2.3).
 */
final class HeaderChecksum {
    private static final int TYPE = 0x03;
    private static final int TLV_FIXED_BYTES = 3;

    private HeaderChecksum() {}

    /**
     * Checks it, where there is one.
     *
     * @param fixed the header's begin
     * @param rest what follows, to its end
     * @param tlvsAt where in the rest the fields begin
     */
    static void requireRight(byte[] fixed, byte[] rest, int tlvsAt) throws ProxyProtocolException {
        ByteBuffer fields = ByteBuffer.wrap(rest);
        int at = tlvsAt;
        while (at + TLV_FIXED_BYTES <= rest.length) {
            int length = Short.toUnsignedInt(fields.getShort(at + 1));
            int value = at + TLV_FIXED_BYTES;
            boolean isChecksum = fields.get(at) == TYPE && length == Integer.BYTES;
            if (isChecksum && value + length <= rest.length && fields.getInt(value) != computed(fixed, rest, value)) {
                throw new ProxyProtocolException(
                        "the PROXY header's checksum is wrong: something changed it on its way");
            }
            at = value + length;
        }
    }

    private static int computed(byte[] fixed, byte[] rest, int checksumAt) {
        CRC32C checksum = new CRC32C();
        checksum.update(fixed);
        checksum.update(rest, 0, checksumAt);
        checksum.update(new byte[Integer.BYTES]);
        checksum.update(rest, checksumAt + Integer.BYTES, rest.length - checksumAt - Integer.BYTES);
        return (int) checksum.getValue();
    }
}
