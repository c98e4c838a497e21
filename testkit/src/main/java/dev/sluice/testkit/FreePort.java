package dev.sluice.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Ports for servers that cannot let the kernel choose one, and for addresses where nobody listens. Thread-safe. */
public final class FreePort {
    private static final PortBlocks BLOCKS = PortBlocks.ofThisUser();

    private FreePort() {}

    /**
     * Returns a TCP port of the loopback address without a listener. No port is returned twice, nor by another process
     * of these tests, and none is one that the kernel gives to whoever asks for any: otherwise a gateway that listens
     * at a chosen port and one at any port could share it (SO_REUSEPORT), and each would get clients of the other.
     */
    public static int onLoopback() {
        int port = BLOCKS.next();
        while (!isFree(port)) {
            port = BLOCKS.next();
        }
        return port;
    }

    /** Returns true when a server may bind it, even one that does not set SO_REUSEADDR. */
    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(false);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (BindException taken) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException("no socket on the loopback address", e);
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
