package dev.sluice.config.yaml;

import java.net.SocketAddress;

/**
 * The name of a service whose servers, with their ports, weights and priorities, are in SRV records (RFC 2782), such as
 * {@code _http._tcp.shop.internal}. It stands where a server's address does.
 */
public final class ServiceName extends SocketAddress {
    private static final long serialVersionUID = 1L;

    private final String name;

    /** Creates the name of a service. */
    public ServiceName(String name) {
        this.name = name;
    }

    /** Returns the name without the prefix {@code srv:}. */
    public String name() {
        return name;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ServiceName service && name.equals(service.name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    /** Returns the name as the configuration writes it. */
    @Override
    public String toString() {
        return Addresses.SERVICE + name;
    }
}
