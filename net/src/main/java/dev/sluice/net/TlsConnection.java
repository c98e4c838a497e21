package dev.sluice.net;

import dev.sluice.tls.engine.KernelHandover;
import java.util.function.Consumer;

/**
 * A TLS connection over a {@link TcpConnection}, server or client. What it receives and sends are plaintext slabs.
 *
 * <p>During the handshake, and for good with an engine that stays with libssl, ciphertext goes between the socket and
 * the engine's memory directly. A connection whose {@code DirectEngine} has detached from libssl opens and seals
 * records in the loop's buffers, and holds none of them at rest.
 *
 * <p>Memory per connection is bounded: the engine's two rings during the handshake, then what was given to
 * {@link #send} and the peer has not drained, and a record that has not come whole. While receiving is off, at most one
 * buffer of ciphertext is taken from the kernel.
 */
public interface TlsConnection extends Connection {
    /**
     * Returns the connection underneath, for addresses and the descriptor; not to be received from, sent on or closed.
     */
    TcpConnection transport();

    /**
     * Has the kernel protect the records ({@code dev.sluice.tls.engine.KernelTls}) from the first moment on at which
     * nothing is under way between two records; until then, and where that cannot be, all goes on as it was. Once at
     * most, from {@link HandshakeHandler#onHandshake} on.
     *
     * @param outcome told once: now, later, or at the end of the connection
     */
    void handToKernel(Consumer<KernelHandover> outcome);
}
