package dev.sluice.gateway.admission;

import java.net.Inet6Address;
import java.net.InetAddress;

/**
 * The key by which clients are distinguished: an IPv4 address, or the first 64 bits of an IPv6 one, since the owner of
 * one of those addresses has all of them (RFC 4291 section 2.5.4).
 */
public final class AddressKey {
    private static final int PREFIX_BYTES = 8;

    /** A prefix that is not given out, so that no IPv6 network is taken for an IPv4 address. */
    private static final long IPV4 = 0x0000_FFFFL << 32;

    private AddressKey() {}

    public static long of(InetAddress address) {
        byte[] bytes = address.getAddress();
        boolean six = address instanceof Inet6Address;
        long key = 0;
        for (int i = 0; i < (six ? PREFIX_BYTES : bytes.length); i++) {
            key = key << Byte.SIZE | (bytes[i] & 0xff);
        }
        return six ? key : IPV4 | key;
    }
}
