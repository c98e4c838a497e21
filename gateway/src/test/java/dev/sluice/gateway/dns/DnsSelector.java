package dev.sluice.gateway.dns;

import dev.sluice.gateway.dns.Resolver.Family;
import dev.sluice.testkit.FreePort;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/** The selector that dnsjava keeps permanently from its first question on, with its descriptors. */
public final class DnsSelector {
    private DnsSelector() {}

    /** Has it made, so that no test is the one whose descriptors it adds to. */
    public static void open() {
        InetSocketAddress nobody = new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.onLoopback());
        try {
            DnsClient.at(List.of(nobody)).addresses("any.example", Family.IPV4);
        } catch (LookupException expected) {
            // Nobody answers.
        }
    }
}
