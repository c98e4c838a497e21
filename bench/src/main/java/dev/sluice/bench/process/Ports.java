package dev.sluice.bench.process;

import dev.sluice.bench.harness.BenchException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.TimeUnit;

/** Ports on 127.0.0.1. */
public final class Ports {
    private static final int START_SECONDS_MAX = 20;
    private static final int POLL_MILLIS = 20;

    private Ports() {}

    /** Returns a currently unused port. */
    public static int free() {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        } catch (IOException e) {
            throw new BenchException("no free port on the loopback interface: " + e.getMessage(), e);
        }
    }

    /** Waits until a process accepts connections on a port of 127.0.0.1. */
    public static void await(ManagedProcess process, int port) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS_MAX);
        while (true) {
            try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return;
            } catch (IOException e) {
                process.requireAlive();
                if (System.nanoTime() > deadline) {
                    throw new BenchException("nothing listens on port " + port + ":\n" + process.logTail(), e);
                }
                Thread.sleep(POLL_MILLIS);
            }
        }
    }
}
