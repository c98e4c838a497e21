package dev.sluice.ffi.libc;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;

/**
 * {@code struct sockaddr_in}, {@code sockaddr_in6} (netinet/in.h) and {@code sockaddr_un} (sys/un.h), encoded from and
 * decoded to {@link SocketAddress}.
 *
 * <pre>
 *               0        2        4                    8                      24          28
 *               +--------+--------+--------------------+----------------------+-----------+
 *   sockaddr_in | family |  port  |   IPv4 address     | zero up to 16        |
 *               +--------+--------+--------------------+----------------------+-----------+
 *   sockaddr_in6| family |  port  |   flow info        |   IPv6 address       | scope id  |
 *               +--------+--------+--------------------+----------------------+-----------+
 *   sockaddr_un | family | path, 108 bytes, ends in NUL ...
 *               +--------+--------
 * </pre>
 *
 * Port and addresses in network byte order; family and scope id in native order.
 */
public final class SockAddr {
    /** Room for any of the three: sizeof(struct sockaddr_storage). */
    public static final int MAX_BYTES = 128;

    /** Offset of the address family in all three. */
    public static final int FAMILY_OFFSET = 0;
    /** Offset of the port in the first two. */
    public static final int PORT_OFFSET = 2;
    /** Offset of the address in sockaddr_in. */
    public static final int IPV4_ADDRESS_OFFSET = 4;
    /** Size of sockaddr_in. */
    public static final int IPV4_BYTES = 16;
    /** Offset of the address in sockaddr_in6. */
    public static final int IPV6_ADDRESS_OFFSET = 8;
    /** Offset of the scope id in sockaddr_in6. */
    public static final int IPV6_SCOPE_OFFSET = 24;
    /** Size of sockaddr_in6. */
    public static final int IPV6_BYTES = 28;
    /** Offset of the path in sockaddr_un. */
    public static final int UNIX_PATH_OFFSET = 2;
    /** Room for the path in sockaddr_un, the closing NUL included. */
    public static final int UNIX_PATH_BYTES = 108;

    private SockAddr() {}

    /**
     * Returns the address family of an address.
     *
     * @throws IllegalArgumentException for an unresolved name or another kind of address
     */
    public static int family(SocketAddress address) {
        return switch (address) {
            case UnixDomainSocketAddress _ -> Constants.AF_UNIX;
            case InetSocketAddress inet when inet.getAddress() instanceof Inet4Address -> Constants.AF_INET;
            case InetSocketAddress inet when inet.getAddress() instanceof Inet6Address -> Constants.AF_INET6;
            default ->
                throw new IllegalArgumentException(
                        "not a resolved IP or Unix socket address: " + address + "; resolve the name first");
        };
    }

    /**
     * Encodes an address for the kernel.
     *
     * @param to destination, {@link #MAX_BYTES} of room
     * @return the length to pass to the kernel
     * @throws IllegalArgumentException for an unresolved name, another kind of address, or a path that is too long
     */
    public static int encode(SocketAddress address, long to) {
        RawMemory.zero(to, MAX_BYTES);
        RawMemory.putShort(to + FAMILY_OFFSET, (short) family(address));
        return address instanceof UnixDomainSocketAddress unix
                ? encodeUnix(unix, to)
                : encodeInet((InetSocketAddress) address, to);
    }

    private static int encodeInet(InetSocketAddress address, long to) {
        byte[] ip = address.getAddress().getAddress();
        RawMemory.putShortBigEndian(to + PORT_OFFSET, (short) address.getPort());
        if (address.getAddress() instanceof Inet6Address ipv6) {
            RawMemory.copy(ip, 0, to + IPV6_ADDRESS_OFFSET, ip.length);
            RawMemory.putInt(to + IPV6_SCOPE_OFFSET, ipv6.getScopeId());
            return IPV6_BYTES;
        }
        RawMemory.copy(ip, 0, to + IPV4_ADDRESS_OFFSET, ip.length);
        return IPV4_BYTES;
    }

    private static int encodeUnix(UnixDomainSocketAddress address, long to) {
        byte[] path = address.getPath().toString().getBytes(StandardCharsets.UTF_8);
        if (path.length == 0 || path.length >= UNIX_PATH_BYTES) {
            throw new IllegalArgumentException("a Unix socket's path has 1 to " + (UNIX_PATH_BYTES - 1)
                    + " bytes, this one has " + path.length + ": " + address + "; use a shorter path");
        }
        RawMemory.copy(path, 0, to + UNIX_PATH_OFFSET, path.length);
        return UNIX_PATH_OFFSET + path.length + 1;
    }

    /**
     * Decodes an address from the kernel. An IPv4-mapped IPv6 address becomes an IPv4 address.
     *
     * @param length as the kernel set it; an unnamed Unix socket has no path
     */
    public static SocketAddress decode(long from, int length) {
        int family = RawMemory.getShort(from + FAMILY_OFFSET);
        return switch (family) {
            case Constants.AF_INET -> decodeInet(from, IPV4_ADDRESS_OFFSET, 4, 0);
            case Constants.AF_INET6 ->
                decodeInet(from, IPV6_ADDRESS_OFFSET, 16, RawMemory.getInt(from + IPV6_SCOPE_OFFSET));
            case Constants.AF_UNIX -> decodeUnix(from, length);
            default -> throw new IllegalArgumentException("unknown address family: " + family);
        };
    }

    private static SocketAddress decodeInet(long from, int offset, int length, int scope) {
        byte[] ip = new byte[length];
        RawMemory.copy(from + offset, ip, 0, length);
        int port = Short.toUnsignedInt(RawMemory.getShortBigEndian(from + PORT_OFFSET));
        try {
            InetAddress address =
                    scope == 0 ? InetAddress.getByAddress(ip) : Inet6Address.getByAddress(null, ip, scope);
            return new InetSocketAddress(address, port);
        } catch (UnknownHostException e) {
            throw new AssertionError("InetAddress rejected an address of 4 or 16 bytes", e);
        }
    }

    private static SocketAddress decodeUnix(long from, int length) {
        int room = Math.max(0, length - UNIX_PATH_OFFSET);
        byte[] path = new byte[room];
        RawMemory.copy(from + UNIX_PATH_OFFSET, path, 0, room);
        int end = 0;
        while (end < room && path[end] != 0) {
            end++;
        }
        return UnixDomainSocketAddress.of(new String(path, 0, end, StandardCharsets.UTF_8));
    }
}
