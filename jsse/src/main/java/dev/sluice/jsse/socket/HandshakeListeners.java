package dev.sluice.jsse.socket;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.HandshakeCompletedEvent;
import javax.net.ssl.HandshakeCompletedListener;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** The listeners for the completion of a socket's handshakes. Thread-safe. */
final class HandshakeListeners {
    private static final String THREAD_NAME = "HandshakeCompletedNotify-Thread";

    private final CopyOnWriteArrayList<HandshakeCompletedListener> listeners = new CopyOnWriteArrayList<>();

    void add(@Nullable HandshakeCompletedListener listener) {
        listeners.addIfAbsent(required(listener));
    }

    void remove(@Nullable HandshakeCompletedListener listener) {
        if (!listeners.remove(required(listener))) {
            throw new IllegalArgumentException("the listener is not registered: listener=" + listener);
        }
    }

    private static HandshakeCompletedListener required(@Nullable HandshakeCompletedListener listener) {
        if (listener == null) {
            throw new IllegalArgumentException("the listener is null");
        }
        return listener;
    }

    /** Notifies each listener on a thread of their own, so that none delays the connection. */
    void completed(SSLSocket socket, SSLSession session) {
        if (listeners.isEmpty()) {
            return;
        }
        HandshakeCompletedEvent event = new HandshakeCompletedEvent(socket, session);
        List<HandshakeCompletedListener> notified = List.copyOf(listeners);
        Thread.ofPlatform()
                .name(THREAD_NAME)
                .daemon()
                .inheritInheritableThreadLocals(false)
                .start(() -> notified.forEach(listener -> listener.handshakeCompleted(event)));
    }
}
