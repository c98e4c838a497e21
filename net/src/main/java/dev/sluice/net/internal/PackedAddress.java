package dev.sluice.net.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;

/**
 * An IPv4 address and port in 16 bytes. The JDK's four objects take 80, for as long as a connection stands that hardly
 * ever says whom it is with. Stays inside this package: nobody else knows what it is.
 */
final class PackedAddress extends SocketAddress {
    private static final long serialVersionUID = 1;
    private static final VarHandle NETWORK_ORDER =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private final int address;
    private final char port;

    private PackedAddress(int address, char port) {
        this.address = address;
        this.port = port;
    }

    /** Returns the address packed where it can be, or as it is. A host name that it may have is lost. */
    static SocketAddress pack(SocketAddress full) {
        return full instanceof InetSocketAddress inet && inet.getAddress() instanceof Inet4Address ipv4
                ? new PackedAddress((int) NETWORK_ORDER.get(ipv4.getAddress(), 0), (char) inet.getPort())
                : full;
    }

    /** Returns what {@link #pack} was given. */
    static SocketAddress unpack(SocketAddress maybePacked) {
        return maybePacked instanceof PackedAddress packed ? packed.full() : maybePacked;
    }

    private SocketAddress full() {
        byte[] bytes = new byte[Integer.BYTES];
        NETWORK_ORDER.set(bytes, 0, address);
        try {
            return new InetSocketAddress(InetAddress.getByAddress(bytes), port);
        } catch (UnknownHostException e) {
            throw new AssertionError("four bytes are always an address", e);
        }
    }

    @Override
    public String toString() {
        return full().toString();
    }
}
