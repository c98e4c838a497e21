package dev.sluice.config.model;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;

/**
 * The clients that a listener accepts.
 *
 * @param proxiedFrom the proxies whose PROXY headers are trusted; empty: none
 * @param connections the maximum number of connections; 0: that of {@link LimitsConfig}
 * @param keepAlive the idle time after which the kernel probes the client; zero: never
 * @param namesRequired true to reject clients whose server name neither a certificate nor {@code hosts} covers
 * @param alpnRequired true to reject clients that offer no protocol by ALPN
 * @param answersHttp true to answer plain HTTP on the TLS port by the https address
 * @param addresses the addresses of clients that are served
 */
public record AcceptPolicy(
        List<AddressRange> proxiedFrom,
        int connections,
        Duration keepAlive,
        boolean namesRequired,
        boolean alpnRequired,
        boolean answersHttp,
        AddressRules addresses) {
    /** Accepts every client. */
    public static final AcceptPolicy DEFAULT = new AcceptPolicy(List.of(), 0, Duration.ZERO, false, false);

    /** Creates a policy that answers plain HTTP, to every address. */
    public AcceptPolicy(
            List<AddressRange> proxiedFrom,
            int connections,
            Duration keepAlive,
            boolean namesRequired,
            boolean alpnRequired) {
        this(proxiedFrom, connections, keepAlive, namesRequired, alpnRequired, true);
    }

    /** Creates a policy for every address. */
    public AcceptPolicy(
            List<AddressRange> proxiedFrom,
            int connections,
            Duration keepAlive,
            boolean namesRequired,
            boolean alpnRequired,
            boolean answersHttp) {
        this(proxiedFrom, connections, keepAlive, namesRequired, alpnRequired, answersHttp, AddressRules.NONE);
    }

    /** Copies the list. */
    public AcceptPolicy {
        proxiedFrom = List.copyOf(proxiedFrom);
    }

    /** Returns true when connections from an address start with a PROXY header. */
    public boolean isProxy(InetAddress address) {
        for (AddressRange range : proxiedFrom) {
            if (range.contains(address)) {
                return true;
            }
        }
        return false;
    }
}
