package dev.sluice.bench.jsse;

import java.util.Locale;

/** The parts of the suite. */
public enum JssePart {
    /** Records wrapped and unwrapped by SSLEngines in memory. */
    RECORDS,
    /** Requests to Netty over HTTPS. */
    HTTPS,
    /** Many blocking connections with a virtual thread each. */
    CONNECTIONS;

    /** Returns the name in the option. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
