package dev.sluice.net.internal;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Sockets that the kernel has accepted, in order, and whose listeners have not been told yet; in place of a descriptor
 * -errno for the end of accepting. Allocates nothing but to grow.
 */
final class AcceptedSockets {
    private @Nullable Endpoint[] listeners = new Endpoint[64];
    private int[] descriptors = new int[64];
    private int head;
    private int size;

    void add(Endpoint listener, int descriptor) {
        if (size == descriptors.length) {
            grow();
        }
        int place = (head + size++) & (descriptors.length - 1);
        listeners[place] = listener;
        descriptors[place] = descriptor;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** Returns the listener that accepted the first one; null when there is none. */
    @Nullable
    Endpoint firstListener() {
        return size == 0 ? null : listeners[head];
    }

    /** Takes out the first one. */
    int take() {
        int descriptor = descriptors[head];
        listeners[head] = null;
        head = (head + 1) & (descriptors.length - 1);
        size--;
        return descriptor;
    }

    private void grow() {
        int length = descriptors.length;
        @Nullable Endpoint[] largerListeners = Arrays.copyOfRange(listeners, head, head + 2 * length);
        int[] largerDescriptors = Arrays.copyOfRange(descriptors, head, head + 2 * length);
        // What had wrapped around to the front comes behind the rest.
        System.arraycopy(listeners, 0, largerListeners, length - head, head);
        System.arraycopy(descriptors, 0, largerDescriptors, length - head, head);
        listeners = largerListeners;
        descriptors = largerDescriptors;
        head = 0;
    }
}
