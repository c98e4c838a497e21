package dev.sluice.net.client;

import java.io.IOException;
import java.net.InetAddress;
import java.util.List;

/** A source of the addresses of names. Called on a virtual thread, which it may block. */
@FunctionalInterface
public interface AddressResolver {
    /** The JDK's lookup, with its caches. */
    AddressResolver OF_THE_JDK = host -> List.of(InetAddress.getAllByName(host));

    /**
     * Returns the addresses of a name, by preference within each family.
     *
     * @throws IOException when it has none, such as {@link java.net.UnknownHostException}
     */
    List<InetAddress> resolve(String host) throws IOException;
}
