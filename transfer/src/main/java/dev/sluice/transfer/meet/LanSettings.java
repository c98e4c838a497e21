package dev.sluice.transfer.meet;

/**
 * The settings of discovery in the local network.
 *
 * @param port the UDP port of hosts, the same on all machines
 */
public record LanSettings(int port) {
    /** The port that all use. */
    public static final LanSettings DEFAULT = new LanSettings(45_819);

    private static final int MAX_PORT = 65_535;

    /** Checks the port. */
    public LanSettings {
        if (port < 1 || port > MAX_PORT) {
            throw new IllegalArgumentException("port=" + port + "; use 1 to " + MAX_PORT);
        }
    }
}
