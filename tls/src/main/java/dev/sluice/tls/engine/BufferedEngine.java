package dev.sluice.tls.engine;

import dev.sluice.tls.context.EarlyDataPolicy;
import org.jspecify.annotations.Nullable;

/**
 * An engine without any I/O: its owner writes received bytes into its memory and sends the bytes waiting there.
 *
 * <pre>{@code
 * receive:  n = recv(fd, engine.receiveAddress(), engine.receiveCapacity()); engine.received(n);
 *           engine.handshake() or engine.read(...) until WANT_READ
 * send:    while (engine.sendLength() > 0) { n = send(fd, engine.sendAddress(), engine.sendLength()); engine.sent(n); }
 * }</pre>
 *
 * <p>After every call, whatever it returned, {@link #sendLength()} may be more than 0: handshake messages, tickets, key
 * updates, and the alert of a failure too. Send it before waiting for the peer.
 */
public interface BufferedEngine extends TlsEngine {
    /**
     * Continues a server's handshake like {@link #handshake()}, and accepts early data if its context has an {@link
     * EarlyDataPolicy}. A connection that starts with this call continues with it until its handshake is complete; one
     * that starts with the other call rejects early data.
     *
     * @param earlyAddress destination of early data, which may be a replay: the client has not proven its presence
     * @param earlyCapacity capacity of the destination in bytes, at least 1
     * @return bytes of early data (call again); or what {@link #handshake()} returns
     */
    default int handshake(long earlyAddress, int earlyCapacity) {
        return handshake();
    }

    /** Returns the accepted early data before any of it is delivered; null when none was accepted. */
    default @Nullable EarlyData earlyData() {
        return null;
    }

    /** Returns the room for received bytes at {@link #receiveAddress()}; 0 when there is none until the next read. */
    int receiveCapacity();

    /**
     * Returns the destination of received bytes. The memory stays valid until {@link #received} or {@link #close()},
     * including during reads and writes in between.
     */
    long receiveAddress();

    /**
     * Accounts for received bytes.
     *
     * @param count bytes written to the address that {@link #receiveAddress()} returned last; 0 for none
     * @throws IllegalArgumentException when the count exceeds the room
     */
    void received(int count);

    /**
     * Marks the end of the stream: the peer's FIN, or a lost connection. After the remaining bytes, {@link #read} and
     * {@link #handshake} report a truncation if there was no close_notify.
     */
    void receivedEndOfStream();

    /** Returns the number of bytes waiting at {@link #sendAddress()}; more may follow after {@link #sent}. */
    int sendLength();

    /** Returns the address of those bytes, valid and unchanged until {@link #sent} or {@link #close()}. */
    long sendAddress();

    /**
     * Removes bytes that were sent.
     *
     * @param count at most {@link #sendLength()}
     */
    void sent(int count);
}
