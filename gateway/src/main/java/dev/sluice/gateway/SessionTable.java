package dev.sluice.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The open client connections of one loop, without order; adding and removing take constant time and allocate nothing. */
final class SessionTable {
    private final List<Session> sessions = new ArrayList<>();

    void add(Session session) {
        session.tableIndex = sessions.size();
        sessions.add(session);
    }

    /** The last one takes the place of the one that goes. */
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

    /** Calls for each of them; the action may remove the one it is called for. */
    void forEach(Consumer<Session> action) {
        for (int i = sessions.size() - 1; i >= 0; i--) {
            action.accept(sessions.get(i));
        }
    }
}
