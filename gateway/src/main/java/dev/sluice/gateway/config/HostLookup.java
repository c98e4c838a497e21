package dev.sluice.gateway.config;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Finds the address of a name that the gateway is to listen on. */
@FunctionalInterface
public interface HostLookup {
    /** The resolver of this machine: DNS, /etc/hosts. */
    HostLookup SYSTEM = InetAddress::getByName;

    /**
     * Returns an address of a name; may block for as long as DNS takes.
     *
     * @throws UnknownHostException when it has none
     */
    InetAddress find(String name) throws UnknownHostException;
}
