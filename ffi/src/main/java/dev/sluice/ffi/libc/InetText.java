package dev.sluice.ffi.libc;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/** The text of internet addresses, as inet_ntop(3) and RFC 5952 section 4 have it; the JDK's own spells out zeros. */
public final class InetText {
    private static final int GROUPS = 8;
    private static final int MIN_RUN = 2;

    private InetText() {}

    /** Returns {@code host:port}, with brackets around IPv6; of a Unix domain socket what the JDK calls it. */
    public static String of(SocketAddress address) {
        if (!(address instanceof InetSocketAddress inet)) {
            return address.toString();
        }
        return (inet.isUnresolved() ? inet.getHostString() : inUrl(inet.getAddress())) + ":" + inet.getPort();
    }

    /** Returns a host as URLs write it: with brackets around IPv6. */
    public static String inUrl(InetAddress address) {
        return address instanceof Inet6Address ? "[" + of(address) + "]" : of(address);
    }

    /** Returns an address, with its zone if it has one. */
    public static String of(InetAddress address) {
        String full = address.getHostAddress();
        if (!(address instanceof Inet6Address)) {
            return full;
        }
        int zone = full.indexOf('%');
        return compressed(address.getAddress()) + (zone < 0 ? "" : full.substring(zone));
    }

    /** Returns an address without its zone, which means nothing to other machines. */
    public static String withoutZone(InetAddress address) {
        return address instanceof Inet6Address ? compressed(address.getAddress()) : address.getHostAddress();
    }

    /** Writes the longest run of zeros, the first of equal ones, as two colons. */
    private static String compressed(byte[] bytes) {
        int run = 0;
        int runBegin = GROUPS;
        for (int begin = 0; begin < GROUPS; begin++) {
            int length = zeros(bytes, begin);
            if (length >= MIN_RUN && length > run) {
                run = length;
                runBegin = begin;
            }
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < GROUPS; i++) {
            if (i == runBegin) {
                text.append("::");
                i += run - 1;
            } else {
                text.append(text.isEmpty() || text.charAt(text.length() - 1) == ':' ? "" : ":")
                        .append(Integer.toHexString(group(bytes, i)));
            }
        }
        return text.toString();
    }

    private static int zeros(byte[] bytes, int begin) {
        int end = begin;
        while (end < GROUPS && group(bytes, end) == 0) {
            end++;
        }
        return end - begin;
    }

    private static int group(byte[] bytes, int index) {
        return (bytes[2 * index] & 0xFF) << Byte.SIZE | (bytes[2 * index + 1] & 0xFF);
    }
}
