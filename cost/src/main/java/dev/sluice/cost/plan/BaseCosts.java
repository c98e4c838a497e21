package dev.sluice.cost.plan;

import dev.sluice.cost.figures.CostProfile;

/**
 * The costs of a connection and a byte outside TLS: the kernel's TCP on both sides of the gateway, and the gateway's
 * own work. Measured on one machine, and scaled to another by the cost of its loopback connections and messages.
 *
 * @param connectionMicros CPU time of a client connection and a backend connection, with a byte each way
 * @param handshakeFactor ratio of a handshake in a busy gateway, with other work between its steps, to one in memory
 * @param messageMicros CPU time to receive a message on one side and send it on the other, whatever its size
 * @param byteNanos CPU time for each of its bytes, without the cipher
 * @param connectionBytes user-space memory of a connection besides its TLS engine
 * @param socketBytes kernel memory of one idle socket; a connection has two
 * @param processBytes resident memory of the process without connections
 */
record BaseCosts(
        double connectionMicros,
        double handshakeFactor,
        double messageMicros,
        double byteNanos,
        double connectionBytes,
        double socketBytes,
        double processBytes) {
    /**
     * The base costs from docs/benchmarks, OpenSSL 3.5.8. Connection and factor: a fit of the eight kinds of "What a
     * handshake costs", gateway over libssl alone, with errors up to 16 %. Message and byte: echo (12.3 µs for two
     * messages of 128 bytes) and bulk download (0.725 ns a byte in records of 16 KiB), less the cipher's share from
     * {@code bench record}. Memory: the idle connection (1.04 KiB) less its engine (497 bytes); the start (71 MiB).
     */
    static final BaseCosts OF_BENCHMARKS = new BaseCosts(182, 1.25, 6.0, 0.31, 570, 2_700, 71.0 * 1024 * 1024);

    /** The loopback cost of {@code sluice cost} on the machine of those figures, in microseconds. */
    private static final double LOOPBACK_CONNECTION = 68;

    private static final double LOOPBACK_MESSAGE = 7.0;

    /** Returns the base costs of a measurement's machine. */
    static BaseCosts of(CostProfile profile) {
        double connection = profile.find("loopback/connection").orElse(LOOPBACK_CONNECTION) / LOOPBACK_CONNECTION;
        double message = profile.find("loopback/message").orElse(LOOPBACK_MESSAGE) / LOOPBACK_MESSAGE;
        return OF_BENCHMARKS.scaled(connection, message);
    }

    BaseCosts scaled(double connection, double message) {
        return new BaseCosts(
                connectionMicros * connection,
                handshakeFactor,
                messageMicros * message,
                byteNanos * message,
                connectionBytes,
                socketBytes,
                processBytes);
    }
}
