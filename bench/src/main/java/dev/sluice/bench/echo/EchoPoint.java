package dev.sluice.bench.echo;

/**
 * One point of the comparison.
 *
 * @param connections connections, each with one message in flight
 * @param bytes message size
 */
record EchoPoint(int connections, int bytes) {
    private static final int KIB = 1024;

    /** Returns the lower-dashed name for results. */
    String name() {
        return "echo-" + connections + "-" + bytes;
    }

    String title() {
        return "Echo of " + size() + " over " + people();
    }

    /** Returns the number of connections for display. */
    String people() {
        return connections == 1 ? "1 connection" : "%,d connections".formatted(connections);
    }

    /** Returns the message size for display. */
    String size() {
        return size(bytes);
    }

    static String size(int bytes) {
        return bytes % KIB == 0 ? bytes / KIB + " KiB" : bytes + " B";
    }
}
