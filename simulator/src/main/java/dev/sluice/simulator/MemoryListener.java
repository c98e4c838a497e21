package dev.sluice.simulator;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** A listening socket of the system under test. */
final class MemoryListener {
    /** Connections that have arrived and are not accepted yet. */
    final ArrayDeque<MemorySocket> waiting = new ArrayDeque<>();

    @Nullable
    EpollWatch watch;

    boolean closed;
    /** Ring operations that refer to it. */
    int armed;

    void arrived(MemorySocket socket) {
        waiting.add(socket);
        if (watch != null) {
            watch.edge();
        }
    }
}
