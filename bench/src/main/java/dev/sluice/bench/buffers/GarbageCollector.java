package dev.sluice.bench.buffers;

/** The collectors under which the published application ran, and the one that the article mentions. */
enum GarbageCollector {
    /** The JVM's default. */
    G1("G1", "-XX:+UseG1GC"),
    /** A concurrent one, with generations. */
    ZGC("ZGC", "-XX:+UseZGC"),
    /** Another concurrent one. */
    SHENANDOAH("Shenandoah", "-XX:+UseShenandoahGC");

    private final String label;
    private final String flag;

    GarbageCollector(String label, String flag) {
        this.label = label;
        this.flag = flag;
    }

    /** Returns the name for display. */
    String label() {
        return label;
    }

    /** Returns the option of the JVM. */
    String flag() {
        return flag;
    }
}
