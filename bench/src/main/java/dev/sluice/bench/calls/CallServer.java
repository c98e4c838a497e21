package dev.sluice.bench.calls;

import java.io.IOException;

/** A listening server of calls. */
interface CallServer {
    /** Returns the TCP port on the loopback address. */
    int port();

    /** Accepts one connection and responds to its calls until the client ends it; closes everything. */
    void serve() throws IOException;
}
