package dev.sluice.jsse.session;

import dev.sluice.tls.engine.TlsSession;

/**
 * A session that a client can resume.
 *
 * @param session as the application sees it
 * @param handle as libssl needs it; the holder of this record closes it
 */
public record ResumableSession(SluiceSession session, TlsSession handle) implements AutoCloseable {
    @Override
    public void close() {
        handle.close();
    }
}
