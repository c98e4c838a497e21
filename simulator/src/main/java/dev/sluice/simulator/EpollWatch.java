package dev.sluice.simulator;

import java.util.List;

/** A descriptor in an epoll set. */
final class EpollWatch {
    final Object watched;
    final int interest;
    final long data;
    private final List<EpollWatch> set;
    /** True if an edge has not been reported yet. */
    boolean pending = true;

    EpollWatch(List<EpollWatch> set, Object watched, int interest, long data) {
        this.set = set;
        this.watched = watched;
        this.interest = interest;
        this.data = data;
    }

    void edge() {
        pending = true;
    }

    void remove() {
        set.remove(this);
    }
}
