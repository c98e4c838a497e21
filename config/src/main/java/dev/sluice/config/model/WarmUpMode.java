package dev.sluice.config.model;

/** The warm-up of a started gateway: handshakes and transfers with itself, so that the JVM compiles their code. */
public enum WarmUpMode {
    /** It precedes readiness, and a hot restart. */
    ON,
    /** The first clients pay for it. */
    OFF
}
