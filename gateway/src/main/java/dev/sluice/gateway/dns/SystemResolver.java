package dev.sluice.gateway.dns;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The resolver of this machine. Names in its hosts file, and names that DNS does not have, are found by the C library,
 * which knows more sources (nsswitch.conf), but no times to live. All others are asked of the DNS servers in
 * resolv.conf.
 */
final class SystemResolver implements Resolver {
    /** The time for which an answer of the C library holds: the JDK's own. */
    static final Duration WITHOUT_TIME_TO_LIVE = Duration.ofSeconds(30);

    private static final String HOSTS_PROPERTY = "jdk.net.hosts.file";

    @Override
    public Answer<InetAddress> addresses(String host, Family family) throws LookupException {
        DnsClient dns = hasOwnHosts() || HostsFile.lists(host) || !Dnsjava.isThere() ? null : DnsClient.ofSystem();
        Answer<InetAddress> answer = dns == null ? null : dns.addresses(host, family);
        return answer == null ? new Answer<>(byLibrary(host, family), WITHOUT_TIME_TO_LIVE) : answer;
    }

    /** Returns true when the JDK's resolver reads a file in place of all other sources. */
    private static boolean hasOwnHosts() {
        return System.getProperty(HOSTS_PROPERTY) != null;
    }

    private static List<InetAddress> byLibrary(String host, Family family) {
        try {
            return Stream.of(InetAddress.getAllByName(host))
                    .filter(address -> address instanceof Inet4Address == (family == Family.IPV4))
                    .toList();
        } catch (UnknownHostException unknown) {
            return List.of(); // the library does not say whether there is none, or no answer
        }
    }

    @Override
    public Answer<Service> services(String name) throws LookupException {
        Dnsjava.require(name);
        DnsClient dns = DnsClient.ofSystem();
        if (dns == null) {
            throw new LookupException(name, "/etc/resolv.conf names no DNS server");
        }
        return Answer.orEmpty(dns.services(name));
    }
}
