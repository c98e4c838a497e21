package dev.sluice.cli.gateway;

import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.libc.UnixDatagrams;
import java.nio.charset.StandardCharsets;

/** A sender of datagrams to the service manager. */
final class NotifySocket {
    private NotifySocket() {}

    /**
     * Sends a datagram. A failure is ignored: the listener has gone.
     *
     * @param socket a path, or a name in the abstract namespace that begins with {@code @}
     */
    static void send(String socket, String message) {
        try (LibC libc = new LibC()) {
            int descriptor = UnixDatagrams.connect(libc, socket);
            if (descriptor >= 0) {
                UnixDatagrams.send(libc, descriptor, message.getBytes(StandardCharsets.UTF_8));
                libc.close(descriptor);
            }
        }
    }
}
