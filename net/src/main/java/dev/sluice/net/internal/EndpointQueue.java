package dev.sluice.net.internal;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A queue of endpoints, first in, first out, but for those that may jump it; in an array that grows to the most
 * endpoints that ever waited: nothing is allocated after.
 */
final class EndpointQueue {
    private @Nullable Endpoint[] ring = new Endpoint[64];
    private int head;
    private int size;

    void add(Endpoint endpoint) {
        if (size == ring.length) {
            grow();
        }
        ring[(head + size++) & (ring.length - 1)] = endpoint;
    }

    /** Adds an endpoint that is the next to be taken out. */
    void addFirst(Endpoint endpoint) {
        if (size == ring.length) {
            grow();
        }
        head = (head - 1) & (ring.length - 1);
        ring[head] = endpoint;
        size++;
    }

    /** Takes out the oldest; null when empty. */
    @Nullable
    Endpoint poll() {
        if (size == 0) {
            return null;
        }
        Endpoint endpoint = ring[head];
        ring[head] = null;
        head = (head + 1) & (ring.length - 1);
        size--;
        return endpoint;
    }

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    private void grow() {
        @Nullable Endpoint[] larger = Arrays.copyOfRange(ring, head, head + ring.length * 2);
        // What had wrapped around to the front comes behind the rest.
        System.arraycopy(ring, 0, larger, ring.length - head, head);
        ring = larger;
        head = 0;
    }
}
