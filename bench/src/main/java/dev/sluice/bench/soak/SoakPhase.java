package dev.sluice.bench.soak;

import dev.sluice.bench.load.Scenario;

/**
 * One kind of load.
 *
 * @param name name for display
 * @param scenario scenario of the load generator
 * @param connections concurrent connections
 * @param unit the counted unit, for display
 * @param units total units
 * @param step units between two samples
 * @param perConnection true if each unit is a connection, for which the control path may allocate
 */
record SoakPhase(
        String name,
        Scenario.Kind scenario,
        int connections,
        String unit,
        long units,
        long step,
        boolean perConnection) {
    static SoakPhase download(long bytes) {
        return new SoakPhase("bulk down", Scenario.Kind.DOWNLOAD, 8, "byte", bytes, 500_000_000, false);
    }

    static SoakPhase upload(long bytes) {
        return new SoakPhase("bulk up", Scenario.Kind.UPLOAD, 8, "byte", bytes, 500_000_000, false);
    }

    static SoakPhase messages(long messages) {
        return new SoakPhase("messages", Scenario.Kind.ECHO, 64, "message", messages, 100_000, false);
    }

    static SoakPhase connections(long connections) {
        return new SoakPhase("connections", Scenario.Kind.HANDSHAKE, 16, "connection", connections, 1_000, true);
    }
}
