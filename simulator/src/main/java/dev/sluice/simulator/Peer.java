package dev.sluice.simulator;

/** An actor at the other end of sockets, outside the system under test. */
@FunctionalInterface
public interface Peer {
    /**
     * Acts a little, or not at all.
     *
     * @return true if it did anything, or could without new input from its sockets
     */
    boolean step();
}
