package dev.sluice.simulator;

/** A server outside the system under test. */
@FunctionalInterface
public interface RemoteServer {
    /** Handles a connection by the server's end of it. Its actor is added to the kernel here. */
    void onConnection(MemorySocket socket);
}
