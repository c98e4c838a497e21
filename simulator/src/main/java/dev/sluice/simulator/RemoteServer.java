package dev.sluice.simulator;

/** A server outside of what is tested. */
@FunctionalInterface
public interface RemoteServer {
    /** A connection was made; this is the server's end. Whoever is to act on it is added to the kernel here. */
    void onConnection(MemorySocket socket);
}
