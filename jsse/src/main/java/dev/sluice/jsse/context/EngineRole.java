package dev.sluice.jsse.context;

/** The side of a connection. */
public enum EngineRole {
    /** Sends the ClientHello. */
    CLIENT,
    /** Answers it. */
    SERVER
}
