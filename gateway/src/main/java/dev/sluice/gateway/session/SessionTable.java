package dev.sluice.gateway.session;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The open sessions of one loop, without order; adding and removing take constant time and allocate nothing.
 *
 * <p>A sweep is a pass over the sessions in slices, so that hundreds of thousands do not hold up the loop's turn. Each
 * session that is open from the start to the end of a sweep is swept once, whatever is added or removed in between.
 */
final class SessionTable<S extends SessionTable.Entry> {
    private final List<S> sessions = new ArrayList<>();
    /** The number of the sweep. It may wrap, since each session has this number or the one before. */
    private byte sweep;
    /** The sessions below this position are left to the sweep. */
    private int unswept;

    /** The table's part of a session. */
    abstract static class Entry {
        private int tableIndex;
        private byte sweptBy;
    }

    void add(S session) {
        Entry entry = session;
        entry.tableIndex = sessions.size();
        entry.sweptBy = sweep;
        sessions.add(session);
    }

    /** Removes a session; the last one takes its position. */
    void remove(S session) {
        int index = ((Entry) session).tableIndex;
        S last = sessions.removeLast();
        if (index < sessions.size()) {
            sessions.set(index, last);
            ((Entry) last).tableIndex = index;
        }
    }

    boolean isEmpty() {
        return sessions.isEmpty();
    }

    /** Calls an action for each session; it may remove the one that it is called for. */
    void forEach(Consumer<S> action) {
        for (int i = sessions.size() - 1; i >= 0; i--) {
            action.accept(sessions.get(i));
        }
    }

    /** Starts a sweep over the sessions that are open now. */
    void startSweep() {
        sweep++;
        unswept = sessions.size();
    }

    /**
     * Calls an action for the next sessions of the sweep; it may remove the one that it is called for.
     *
     * @param count the most positions to look at
     * @return true while sessions are left
     */
    boolean sweep(int count, Consumer<S> action) {
        unswept = Math.min(unswept, sessions.size());
        for (int i = 0; i < count && unswept > 0; i++) {
            S session = sessions.get(--unswept);
            Entry entry = session;
            // Not again if it was swept at a later position, and moved here when another was removed.
            if (entry.sweptBy != sweep) {
                entry.sweptBy = sweep;
                action.accept(session);
            }
        }
        return unswept > 0;
    }
}
