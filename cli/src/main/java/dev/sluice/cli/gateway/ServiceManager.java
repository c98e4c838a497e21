package dev.sluice.cli.gateway;

import dev.sluice.gateway.Gateway;
import dev.sluice.gateway.log.GatewayLog;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The notifications to the service manager by the protocol of sd_notify(3): a datagram to the socket named by {@code
 * NOTIFY_SOCKET}. Does nothing without that variable. May be used from any thread.
 */
final class ServiceManager {
    /** Notifies no one. */
    static final ServiceManager NONE = new ServiceManager(null, Duration.ZERO);

    private static final long NANOS_PER_MICRO = 1_000;

    private final @Nullable String socket;
    private final Duration watchdog;

    /** True while the gateway warms up: it serves, and is not to count as started. */
    private boolean warming;

    private ServiceManager(@Nullable String socket, Duration watchdog) {
        this.socket = socket;
        this.watchdog = watchdog;
    }

    /** Returns the service manager of this process's environment. */
    static ServiceManager ofProcess() {
        // Reading its id only here avoids the JDK's work for it at start.
        return System.getenv("NOTIFY_SOCKET") == null
                ? NONE
                : of(System.getenv(), ProcessHandle.current().pid());
    }

    /**
     * Returns the service manager of an environment.
     *
     * @param pid id of this process
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

    /** Reports that the gateway warms up: from now until {@link #warmedUp}, readiness is not reported. */
    synchronized void warming() {
        if (socket != null) {
            warming = true;
            tell("STATUS=warming up");
        }
    }

    /** Lets {@link #ready} report readiness again. */
    synchronized void warmedUp() {
        warming = false;
    }

    /** Reports that the gateway serves; during the warm-up, its status only. */
    synchronized void ready(String status) {
        tell((warming ? "STATUS=" : "READY=1\nSTATUS=") + status);
    }

    /** Reports the start of a reload; {@link #ready} ends it. */
    void reloading() {
        // System.nanoTime is CLOCK_MONOTONIC on Linux.
        tell("RELOADING=1\nMONOTONIC_USEC=" + System.nanoTime() / NANOS_PER_MICRO
                + "\nSTATUS=reading the configuration");
    }

    /** Reports the start of the shutdown. */
    void stopping(String status) {
        tell("STOPPING=1\nSTATUS=" + status);
    }

    private void alive() {
        tell("WATCHDOG=1");
    }

    /** Sends a notification; line breaks in texts are escaped. */
    private void tell(String message) {
        if (socket != null) {
            NotifySocket.send(socket, message);
        }
    }

    /**
     * Sends the watchdog's notifications while all loops of a gateway are alive, from a thread of its own, until it is
     * interrupted or the process ends. Does nothing without a watchdog.
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
                        log.warn("an event loop has not run for " + half.toMillis()
                                + " ms; watchdog notifications suspended");
                    }
                    TimeUnit.NANOSECONDS.sleep(next - System.nanoTime());
                }
            } catch (InterruptedException | RuntimeException ended) {
                // The gateway's loops are gone, and so is the gateway.
            }
        });
    }
}
