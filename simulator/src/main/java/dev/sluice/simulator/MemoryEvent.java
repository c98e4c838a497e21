package dev.sluice.simulator;

import org.jspecify.annotations.Nullable;

/** An eventfd. */
final class MemoryEvent {
    long count;

    @Nullable
    EpollWatch watch;

    void signal() {
        count++;
        if (watch != null) {
            watch.edge();
        }
    }
}
