package dev.sluice.cost.plan;

/** Who protects the records of an established connection. */
public enum Engine {
    /** Our record layer; libssl is left after the handshake. */
    DIRECT("direct"),
    /** libssl over rings in memory. */
    MEMORY("memory");

    private final String path;

    Engine(String path) {
        this.path = path;
    }

    /** As figures name it. */
    public String path() {
        return path;
    }
}
