package dev.sluice.gateway.dns;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/** The resolver of a backend with nameservers of its own, which alone are asked. */
final class ConfiguredResolver implements Resolver {
    private final List<InetSocketAddress> nameservers;

    ConfiguredResolver(List<InetSocketAddress> nameservers) {
        this.nameservers = nameservers;
    }

    @Override
    public Answer<InetAddress> addresses(String host, Family family) throws LookupException {
        Dnsjava.require(host);
        return Answer.orEmpty(DnsClient.at(nameservers).addresses(host, family));
    }

    @Override
    public Answer<Service> services(String name) throws LookupException {
        Dnsjava.require(name);
        return Answer.orEmpty(DnsClient.at(nameservers).services(name));
    }
}
