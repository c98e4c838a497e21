package dev.sluice.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Ports for foreign servers that cannot let the kernel choose one. */
public final class FreePort {
    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private FreePort() {}

    /**
     * Returns a TCP port of the loopback address without a listener. Another process may take it before the caller
     * does; our own servers therefore listen on port 0. No port is returned twice.
     */
    public static int onLoopback() {
        int port = free();
        while (!GIVEN.add(port)) {
            port = free();
        }
        return port;
    }

    private static int free() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("no free port on the loopback address", e);
        }
    }

    /** Returns true when somebody accepts connections at a port of the loopback address. */
    static boolean isTaken(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException nobody) {
            return false;
        }
    }
}
