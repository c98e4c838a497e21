package dev.sluice.jsse.conformance;

/** The kind of exception by which a handshake ends where an application's callback threw an unchecked one. */
final class FailureKinds {
    private FailureKinds() {}

    /** Attempts a handshake that cannot succeed, and returns the kind of the first exception. */
    static String ofAttempt(EngineLink link) {
        try {
            link.attempt();
        } catch (RuntimeException e) {
            return "RuntimeException";
        }
        boolean hasFailed = link.client().failure() != null || link.server().failure() != null;
        return hasFailed ? "SSLException" : "none";
    }
}
