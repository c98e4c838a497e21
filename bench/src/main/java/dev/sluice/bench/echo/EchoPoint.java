package dev.sluice.bench.echo;

/**
 * Where the servers are compared.
 *
 * @param connections one message under way on each
 * @param bytes of a message
 */
record EchoPoint(int connections, int bytes) {
    private static final int KIB = 1024;

    /** Lower-dashed, for the results. */
    String name() {
        return "echo-" + connections + "-" + bytes;
    }

    String title() {
        return "Echo of " + size() + " over " + people();
    }

    /** Connections, for people. */
    String people() {
        return connections == 1 ? "1 connection" : "%,d connections".formatted(connections);
    }

    /** The message's size, for people. */
    String size() {
        return size(bytes);
    }

    static String size(int bytes) {
        return bytes % KIB == 0 ? bytes / KIB + " KiB" : bytes + " B";
    }
}
