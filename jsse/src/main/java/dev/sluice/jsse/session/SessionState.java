package dev.sluice.jsse.session;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The parts of a session that connections which resume it share: id, times, validity, the application's values. */
final class SessionState {
    private final SessionIdentity id;
    private final long createdMillis = System.currentTimeMillis();
    private final Map<String, Object> values = new ConcurrentHashMap<>();
    private volatile long accessedMillis = createdMillis;
    private volatile boolean valid;

    SessionState(byte[] id, boolean valid) {
        this.id = new SessionIdentity(id.clone());
        this.valid = valid;
    }

    SessionIdentity id() {
        return id;
    }

    long createdMillis() {
        return createdMillis;
    }

    long accessedMillis() {
        return accessedMillis;
    }

    void accessed() {
        accessedMillis = System.currentTimeMillis();
    }

    boolean isValid() {
        return valid;
    }

    void invalidate() {
        valid = false;
    }

    Map<String, Object> values() {
        return values;
    }
}
