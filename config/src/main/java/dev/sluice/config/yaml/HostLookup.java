package dev.sluice.config.yaml;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** A resolver of names that the gateway listens on. */
@FunctionalInterface
public interface HostLookup {
    /** The resolver of this machine: DNS, /etc/hosts. */
    HostLookup SYSTEM = InetAddress::getByName;

    /**
     * Returns an address of a name; may block for as long as DNS takes.
     *
     * @throws UnknownHostException when the name does not resolve
     */
    InetAddress find(String name) throws UnknownHostException;
}
