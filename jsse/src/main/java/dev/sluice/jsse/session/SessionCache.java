package dev.sluice.jsse.session;

import dev.sluice.tls.engine.TlsSession;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of one role of an {@code SSLContext}, least recently used first, and the native sessions that a client
 * resumes. Thread-safe. {@link #close()} frees the native sessions.
 */
public final class SessionCache implements SSLSessionContext, AutoCloseable {
    private static final int DEFAULT_SESSIONS = 20_480;
    private static final int DEFAULT_SECONDS = 86_400;
    private static final int UNLIMITED = 0;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<SessionIdentity, SluiceSession> sessions = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<ResumptionKey, ResumableSession> resumable = new HashMap<>();
    private final Map<SessionIdentity, ResumptionKey> keys = new HashMap<>();
    private volatile int seconds = DEFAULT_SECONDS;
    private volatile int limit = DEFAULT_SESSIONS;
    private boolean closed;

    /** Creates an empty cache. */
    public SessionCache() {}

    /** Adds a session that the application may find, and that a server's client may resume. */
    public void add(SluiceSession session) {
        lock.lock();
        try {
            if (!closed) {
                sessions.put(session.identity(), session.cached());
                evict();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Adds a session that a client may resume, in place of an earlier one for the key.
     *
     * @param handle owned by the cache from now on
     */
    public void add(ResumptionKey key, SluiceSession session, TlsSession handle) {
        lock.lock();
        try {
            if (closed || !session.isValid()) {
                handle.close();
                return;
            }
            ResumableSession before = resumable.put(key, new ResumableSession(session.cached(), handle));
            if (before != null) {
                before.close();
                if (!before.session().identity().equals(session.identity())) {
                    sessions.remove(before.session().identity());
                    keys.remove(before.session().identity());
                }
            }
            sessions.put(session.identity(), session.cached());
            keys.put(session.identity(), key);
            evict();
        } finally {
            lock.unlock();
        }
    }

    /** Returns a session to resume, which the caller closes; null for none. */
    public @Nullable ResumableSession find(ResumptionKey key) {
        lock.lock();
        try {
            ResumableSession found = resumable.get(key);
            if (found == null) {
                return null;
            }
            if (!found.session().isValid()) {
                drop(found.session().identity());
                return null;
            }
            return new ResumableSession(found.session(), found.handle().share());
        } finally {
            lock.unlock();
        }
    }

    void remove(SluiceSession session) {
        lock.lock();
        try {
            drop(session.identity());
        } finally {
            lock.unlock();
        }
    }

    boolean isExpired(SluiceSession session) {
        int lifetime = seconds;
        return lifetime != UNLIMITED
                && System.currentTimeMillis() - session.getCreationTime() >= TimeUnit.SECONDS.toMillis(lifetime);
    }

    private void drop(SessionIdentity id) {
        sessions.remove(id);
        ResumptionKey key = keys.remove(id);
        ResumableSession held = key == null ? null : resumable.remove(key);
        if (held != null) {
            held.close();
        }
    }

    private void evict() {
        int most = limit;
        while (most != UNLIMITED && sessions.size() > most) {
            Iterator<SessionIdentity> oldest = sessions.keySet().iterator();
            drop(oldest.next());
        }
    }

    @Override
    public @Nullable SSLSession getSession(byte[] sessionId) {
        if (sessionId == null) {
            throw new NullPointerException("session id cannot be null");
        }
        lock.lock();
        try {
            SluiceSession found = sessions.get(new SessionIdentity(sessionId));
            return found == null || !found.isValid() ? null : found;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Enumeration<byte[]> getIds() {
        lock.lock();
        try {
            List<byte[]> ids = new ArrayList<>();
            for (SluiceSession each : sessions.values()) {
                if (each.isValid()) {
                    ids.add(each.getId());
                }
            }
            return Collections.enumeration(ids);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void setSessionTimeout(int lifetimeSeconds) {
        if (lifetimeSeconds < 0) {
            throw new IllegalArgumentException("session timeout must be at least 0, seconds=" + lifetimeSeconds);
        }
        seconds = lifetimeSeconds;
    }

    @Override
    public int getSessionTimeout() {
        return seconds;
    }

    @Override
    public void setSessionCacheSize(int size) {
        if (size < 0) {
            throw new IllegalArgumentException("session cache size must be at least 0, size=" + size);
        }
        lock.lock();
        try {
            limit = size;
            evict();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int getSessionCacheSize() {
        return limit;
    }

    /** Frees the native sessions; nothing is added from then on. Idempotent. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            resumable.values().forEach(ResumableSession::close);
            resumable.clear();
            sessions.clear();
            keys.clear();
        } finally {
            lock.unlock();
        }
    }
}
