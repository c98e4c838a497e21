package dev.sluice.bench.process;

import dev.sluice.bench.harness.BenchException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Ports on 127.0.0.1. */
public final class Ports {
    private Ports() {}

    /** Returns a currently unused port. */
    public static int free() {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        } catch (IOException e) {
            throw new BenchException("no free port on the loopback interface: " + e.getMessage(), e);
        }
    }
}
