package dev.sluice.gateway.session;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The open sessions of one loop, without order; adding and removing take constant time and allocate nothing. */
final class SessionTable {
    private final List<Session> sessions = new ArrayList<>();

    void add(Session session) {
        session.tableIndex = sessions.size();
        sessions.add(session);
    }

    /** Removes a session; the last one takes its position. */
    void remove(Session session) {
        Session last = sessions.removeLast();
        if (last != session) {
            sessions.set(session.tableIndex, last);
            last.tableIndex = session.tableIndex;
        }
    }

    boolean isEmpty() {
        return sessions.isEmpty();
    }

    /** Calls an action for each session; it may remove the one that it is called for. */
    void forEach(Consumer<Session> action) {
        for (int i = sessions.size() - 1; i >= 0; i--) {
            action.accept(sessions.get(i));
        }
    }
}
