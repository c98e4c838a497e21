package dev.sluice.cost.plan;

/** The owner of an established connection's record protection. */
public enum Engine {
    /** Our record layer, after the detach from libssl. */
    DIRECT("direct"),
    /** libssl over rings in memory. */
    MEMORY("memory");

    private final String path;

    Engine(String path) {
        this.path = path;
    }

    /** Returns the name in figures. */
    public String path() {
        return path;
    }
}
