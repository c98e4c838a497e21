package dev.sluice.bench.process;

import dev.sluice.bench.harness.BenchException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;

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

    /** Waits until a process accepts connections on a port of 127.0.0.1, by one connection. */
    public static void await(ManagedProcess process, int port) throws InterruptedException {
        await(process, port, Ports::accepts);
    }

    /** Waits until a process listens on a port of 127.0.0.1, without a connection, of which it may serve only one. */
    public static void awaitListening(ManagedProcess process, int port) throws InterruptedException {
        await(process, port, Ports::listens);
    }

    private static void await(ManagedProcess process, int port, IntPredicate reached) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS_MAX);
        while (!reached.test(port)) {
            process.requireAlive();
            if (System.nanoTime() > deadline) {
                throw new BenchException("nothing listens on port " + port + ":\n" + process.logTail());
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    private static boolean accepts(int port) {
        try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean listens(int port) {
        try {
            return ProcFiles.listens(ProcFiles.read(Path.of("/proc/net/tcp")), port);
        } catch (IOException e) {
            throw new BenchException("cannot read /proc/net/tcp: " + e.getMessage(), e);
        }
    }
}
