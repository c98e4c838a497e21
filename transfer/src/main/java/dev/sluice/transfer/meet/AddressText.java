package dev.sluice.transfer.meet;

import dev.sluice.ffi.libc.InetText;
import java.net.InetSocketAddress;

/** The text of addresses as people type it. */
public final class AddressText {
    private AddressText() {}

    /** Returns {@code host:port}, with brackets for IPv6. */
    public static String of(InetSocketAddress address) {
        return InetText.of(address);
    }

    /** Returns {@code host:port}, with brackets for IPv6. */
    public static String of(String host, int port) {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
