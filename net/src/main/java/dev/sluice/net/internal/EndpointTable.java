package dev.sluice.net.internal;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Endpoints by slot number, which travels through the kernel together with a generation:
 *
 * <pre>
 *   63        56 55                    32 31                     0
 *   +-----------+------------------------+------------------------+
 *   | operation |       generation       |          slot          |
 *   +-----------+------------------------+------------------------+
 * </pre>
 *
 * A slot is used again, with the next generation, once its endpoint has been detached.
 */
final class EndpointTable {
    private static final int GENERATION_MASK = 0xFF_FFFF;
    private static final int GENERATION_SHIFT = 32;
    private static final int OPERATION_SHIFT = 56;

    private @Nullable Endpoint[] endpoints = new Endpoint[64];
    private int[] generations = new int[64];
    private int[] freeSlots = new int[64];
    private int freeCount;
    private int usedSlots;

    /** Gives the endpoint a slot and a generation. */
    void add(Endpoint endpoint) {
        int slot = freeCount > 0 ? freeSlots[--freeCount] : newSlot();
        endpoint.slot = slot;
        endpoint.generation = generations[slot];
        endpoints[slot] = endpoint;
    }

    /** Frees the endpoint's slot. */
    void remove(Endpoint endpoint) {
        int slot = endpoint.slot;
        endpoints[slot] = null;
        generations[slot] = (generations[slot] + 1) & GENERATION_MASK;
        freeSlots[freeCount++] = slot;
        endpoint.slot = Endpoint.NO_SLOT;
    }

    /** Returns the endpoint that a token was made for, or null when it is gone. */
    @Nullable
    Endpoint find(long token) {
        int slot = (int) token;
        if (slot < 0 || slot >= usedSlots) {
            return null;
        }
        Endpoint endpoint = endpoints[slot];
        int generation = (int) (token >>> GENERATION_SHIFT) & GENERATION_MASK;
        return endpoint != null && endpoint.generation == generation ? endpoint : null;
    }

    /** Returns the token that the kernel hands back for an operation on an endpoint. */
    static long token(Endpoint endpoint, int operation) {
        return (long) operation << OPERATION_SHIFT
                | (long) endpoint.generation << GENERATION_SHIFT
                | Integer.toUnsignedLong(endpoint.slot);
    }

    /** Returns the operation in a token. */
    static int operation(long token) {
        return (int) (token >>> OPERATION_SHIFT);
    }

    /** Returns the number of endpoints. */
    int size() {
        return usedSlots - freeCount;
    }

    /** Returns one more than the highest slot in use. */
    int slots() {
        return usedSlots;
    }

    /** Returns the endpoint in a slot, or null. */
    @Nullable
    Endpoint at(int slot) {
        return endpoints[slot];
    }

    private int newSlot() {
        if (usedSlots == endpoints.length) {
            int larger = usedSlots * 2;
            endpoints = Arrays.copyOf(endpoints, larger);
            generations = Arrays.copyOf(generations, larger);
            freeSlots = Arrays.copyOf(freeSlots, larger);
        }
        return usedSlots++;
    }
}
