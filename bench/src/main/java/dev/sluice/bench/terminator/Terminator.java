package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.process.ManagedProcess;
import dev.sluice.bench.process.Site;
import java.util.Optional;

/** A server that accepts TLS (or plain TCP, as a floor) on one port and relays to a backend on another. */
interface Terminator {
    /** Returns the identity. */
    Identity identity();

    /** Returns whether clients use TLS. */
    boolean tls();

    /** Returns the same server as a control. */
    Terminator again();

    /** Returns the reason why it cannot run here, with the remedy; empty if it can. */
    Optional<String> unavailable();

    /** Returns its version and its OpenSSL at run time. */
    String version(Site site) throws InterruptedException;

    /** Returns the idle time after which the server has released memory that it releases periodically; 0 for none. */
    default long settleMillis() {
        return 0;
    }

    /**
     * Returns the text in its log after which it is ready, for one that is reported as ready only some time after it
     * listens; empty for others.
     */
    default String readyText() {
        return "";
    }

    /**
     * Starts a server on the servers' core. It may not be ready on return.
     *
     * @param port its port on 127.0.0.1
     * @param backendPort the backend's port on 127.0.0.1
     */
    ManagedProcess start(Site site, int port, int backendPort);
}
