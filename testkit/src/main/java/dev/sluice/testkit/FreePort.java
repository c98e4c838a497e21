package dev.sluice.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Ports for foreign servers that cannot be told to let the kernel choose. */
public final class FreePort {
    private FreePort() {}

    /**
     * A TCP port of the loopback address that nobody listens on now. Somebody else may take it before the caller does,
     * so what we write ourselves listens on port 0 and asks what it got.
     */
    public static int onLoopback() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("no free port on the loopback address", e);
        }
    }
}
