package dev.sluice.simulator;

/** Somebody at the other end of sockets, outside of what is tested. */
@FunctionalInterface
public interface Peer {
    /**
     * Does a little, or nothing.
     *
     * @return whether it did anything, or could without anything new from its sockets
     */
    boolean step();
}
