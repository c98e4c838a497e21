package dev.sluice.gateway.proxyprotocol;

import dev.sluice.ffi.libc.InetText;
import java.net.Inet6Address;
import java.net.InetSocketAddress;

/** Addresses as the header wants them: both of one family, an IPv4 address beside an IPv6 one mapped (RFC 4291). */
final class AddressBytes {
    private static final int SIX_BYTES = 16;
    private static final int FOUR_BYTES = 4;

    private AddressBytes() {}

    /** Returns true when the header must be of the IPv6 kind. */
    static boolean isSix(InetSocketAddress source, InetSocketAddress destination) {
        return source.getAddress() instanceof Inet6Address || destination.getAddress() instanceof Inet6Address;
    }

    /** 4 or 16 bytes in network order. */
    static byte[] of(InetSocketAddress address, boolean six) {
        byte[] bytes = address.getAddress().getAddress();
        return six && bytes.length == FOUR_BYTES ? mapped(bytes) : bytes;
    }

    /** The address as text, without a zone. */
    static String text(InetSocketAddress address, boolean six) {
        String plain = InetText.withoutZone(address.getAddress());
        return six && !(address.getAddress() instanceof Inet6Address) ? "::ffff:" + plain : plain;
    }

    private static byte[] mapped(byte[] four) {
        byte[] six = new byte[SIX_BYTES];
        six[10] = (byte) 0xFF;
        six[11] = (byte) 0xFF;
        System.arraycopy(four, 0, six, SIX_BYTES - FOUR_BYTES, FOUR_BYTES);
        return six;
    }
}
