package dev.sluice.cli.gateway;

import dev.sluice.gateway.Gateway;
import dev.sluice.gateway.GatewayLog;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tells whoever started this process how it fares, by the protocol of sd_notify(3): a datagram to the socket that {@code
 * NOTIFY_SOCKET} names. Does nothing where nobody asked to be told. May be used from any thread.
 */
final class ServiceManager {
    /** Nobody is told. */
    static final ServiceManager NONE = new ServiceManager(null, Duration.ZERO);

    private static final long NANOS_PER_MICRO = 1_000;

    private final @Nullable String socket;
    private final Duration watchdog;

    private ServiceManager(@Nullable String socket, Duration watchdog) {
        this.socket = socket;
        this.watchdog = watchdog;
    }

    /** The one that this process's environment names. */
    static ServiceManager ofProcess() {
        // Who needs its id only here spares the start what the JDK does to find it.
        return System.getenv("NOTIFY_SOCKET") == null
                ? NONE
                : of(System.getenv(), ProcessHandle.current().pid());
    }

    /**
     * The one that an environment names.
     *
     * @param pid this process's
     */
    static ServiceManager of(Map<String, String> environment, long pid) {
        String socket = environment.getOrDefault("NOTIFY_SOCKET", "");
        return socket.isEmpty() ? NONE : new ServiceManager(socket, watchdog(environment, pid));
    }

    private static Duration watchdog(Map<String, String> environment, long pid) {
        String micros = environment.getOrDefault("WATCHDOG_USEC", "");
        String forWhom = environment.getOrDefault("WATCHDOG_PID", Long.toString(pid));
        return micros.matches("[1-9][0-9]{0,15}") && forWhom.equals(Long.toString(pid))
                ? Duration.ofNanos(Long.parseLong(micros) * NANOS_PER_MICRO)
                : Duration.ZERO;
    }

    /** How long this process may be silent before it is taken for dead; zero: for ever. */
    Duration watchdog() {
        return watchdog;
    }

    /** It serves. */
    void ready(String status) {
        tell("READY=1\nSTATUS=" + status);
    }

    /** It has begun to read its configuration again; {@link #ready} ends that. */
    void reloading() {
        // System.nanoTime is CLOCK_MONOTONIC on Linux.
        tell("RELOADING=1\nMONOTONIC_USEC=" + System.nanoTime() / NANOS_PER_MICRO
                + "\nSTATUS=reading the configuration");
    }

    /** It has begun to end. */
    void stopping(String status) {
        tell("STOPPING=1\nSTATUS=" + status);
    }

    private void alive() {
        tell("WATCHDOG=1");
    }

    /** Lines for people stay lines of their own. */
    private void tell(String message) {
        if (socket != null) {
            NotifySocket.send(socket, message);
        }
    }

    /**
     * Tells that a gateway is alive as long as all its loops are, from a thread of its own, until it is interrupted or the
     * process ends. Nothing without a watchdog.
     */
    void watch(Gateway gateway, GatewayLog log) {
        if (watchdog.isZero()) {
            return;
        }
        Duration half = watchdog.dividedBy(2);
        Thread.ofPlatform().daemon().name("watchdog").start(() -> {
            try {
                while (true) {
                    long next = System.nanoTime() + half.toNanos();
                    if (gateway.responds(half)) {
                        alive();
                    } else {
                        log.warn("a loop has not had a turn for " + half.toMillis()
                                + " ms: the service manager is not told that all is well");
                    }
                    TimeUnit.NANOSECONDS.sleep(next - System.nanoTime());
                }
            } catch (InterruptedException | RuntimeException ended) {
                // The gateway's loops are gone, and it with them.
            }
        });
    }
}
