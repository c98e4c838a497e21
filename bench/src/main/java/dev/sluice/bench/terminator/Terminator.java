package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.process.ManagedProcess;
import dev.sluice.bench.process.Site;
import java.util.Optional;

/** A kind of server that takes TLS (or plain TCP, as a floor) on one port and relays to a backend on another. */
interface Terminator {
    /** Who it is. */
    Identity identity();

    /** Whether clients speak TLS to it. */
    boolean tls();

    /** The same once more, as control. */
    Terminator again();

    /** Why it cannot run here, with the remedy; empty when it can. */
    Optional<String> unavailable();

    /** Its version and the OpenSSL that it really runs on. */
    String version(Site site) throws InterruptedException;

    /** How long a server rests before it has given back what it gives back at intervals; 0: it does nothing at intervals. */
    default long settleMillis() {
        return 0;
    }

    /**
     * Starts one on the servers' core. It may not serve yet on return.
     *
     * @param port where it listens, on 127.0.0.1
     * @param backendPort where it connects to, on 127.0.0.1
     */
    ManagedProcess start(Site site, int port, int backendPort);
}
