package dev.sluice.bench.idle;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.process.ManagedProcess;
import dev.sluice.bench.process.Site;
import java.util.List;
import java.util.Optional;

/** A server that terminates TLS on one port and relays to backends. */
interface RestingServer {
    /** Descriptors besides those of connections: libraries, listeners, event loops. */
    int OTHER_DESCRIPTORS = 500;

    /** Returns the identity. */
    Identity identity();

    /** Returns the reason why it cannot run here, with the remedy; empty if it can. */
    Optional<String> unavailable();

    /** Returns its version and its OpenSSL at run time. */
    String version(Site site) throws InterruptedException;

    /** Returns the idle time after which the server has released memory that it releases periodically. */
    long settleMillis();

    /** Returns whether it is a JVM, whose heap can be asked for. */
    boolean isJvm();

    /**
     * Starts a server on the servers' core. It may not be ready on return.
     *
     * @param port its port on 127.0.0.1
     * @param backendPorts the backends' ports on 127.0.0.1, for equal shares of the connections
     * @param connections connections to expect
     */
    ManagedProcess start(Site site, int port, List<Integer> backendPorts, int connections);

    /** Returns the number of connections that one process can relay, with two descriptors each. */
    static int connectionsMax(long descriptorLimit) {
        return Math.clamp((descriptorLimit - OTHER_DESCRIPTORS) / 2, 1, Integer.MAX_VALUE);
    }
}
