package dev.sluice.gateway.backend;

import dev.sluice.config.model.ServerConfig;
import dev.sluice.config.yaml.Quantities;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The operations by which operators control servers at run time, with answers in words. What they change lasts as long
 * as the process has the server configured. Thread-safe; {@link #awaitIdle} blocks.
 */
public final class BackendControl {
    /** The pause between two looks at a server that drains. */
    private static final long LOOK_MILLIS = 50;

    private final Backends backends;

    /** Creates the operations on some backends. */
    public BackendControl(Backends backends) {
        this.backends = backends;
    }

    /** An operation cannot be done; the message names value, cause and remedy. */
    public static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1L;

        RefusedException(String message) {
            super(message);
        }
    }

    /** Returns the status of each server, by backend and in the order of the configuration. */
    public List<ServerStatus> statuses() {
        return backends.statuses();
    }

    /** Has a server used in a mode from now on. Idempotent. */
    public String mode(String backend, String server, ServerMode mode) throws UnknownServerException {
        backends.change(
                backend, server, "is " + mode.word(), (health, index) -> health.mode(index, mode, System.nanoTime()));
        return answer(backend, server);
    }

    /**
     * Sets the weight of a server, until the configuration has another one.
     *
     * @param text a number from 1 to {@link ServerConfig#WEIGHT_MAX}
     */
    public String weight(String backend, String server, String text) throws UnknownServerException, RefusedException {
        int weight = weight(text);
        backends.change(backend, server, "has the weight " + weight, (health, index) -> health.weight(index, weight));
        return answer(backend, server);
    }

    private static int weight(String text) throws RefusedException {
        try {
            int weight = Integer.parseInt(text);
            if (weight >= 1 && weight <= ServerConfig.WEIGHT_MAX) {
                return weight;
            }
        } catch (NumberFormatException notANumber) {
            // reported below, like a number out of bounds
        }
        throw new RefusedException("weight is \"" + text + "\"; write a whole number from 1 to "
                + ServerConfig.WEIGHT_MAX + ", or drain the server to give it no new connections");
    }

    private String answer(String backend, String server) throws UnknownServerException {
        return backends.statuses(backend, server).stream()
                .map(status -> "backend " + backend + ": server " + status.server() + " is " + status.state()
                        + ", weight " + status.config().weight() + ", " + connections(status.connections()) + " open")
                .collect(Collectors.joining("\n"));
    }

    /**
     * Waits until a server that is not enabled, or all of a name, have no connections.
     *
     * @param text the time limit, such as {@code 30s}
     * @throws RefusedException when it has some after that time, or is enabled meanwhile
     */
    public String awaitIdle(String backend, String server, String text)
            throws UnknownServerException, RefusedException, InterruptedException {
        Duration limit = Quantities.duration(text);
        if (limit == null) {
            throw new RefusedException("wait is \"" + text
                    + "\", not a duration; write a number and a unit (ms, s, m, h, d), such as 30s");
        }
        long start = System.nanoTime();
        while (true) {
            List<ServerStatus> statuses = backends.statuses(backend, server);
            int open = statuses.stream().mapToInt(ServerStatus::connections).sum();
            if (statuses.stream().anyMatch(status -> status.mode() == ServerMode.ENABLED)) {
                throw new RefusedException("server " + server + " of backend " + backend
                        + " was enabled meanwhile, so that it does not drain");
            }
            if (open == 0) {
                return answer(backend, server);
            }
            if (System.nanoTime() - start >= limit.toNanos()) {
                throw new RefusedException("server " + server + " of backend " + backend + " still has "
                        + connections(open) + " after " + text + "; it stays "
                        + statuses.getFirst().state() + ": wait again, or stop it");
            }
            Thread.sleep(LOOK_MILLIS);
        }
    }

    private static String connections(int count) {
        return count + (count == 1 ? " connection" : " connections");
    }
}
