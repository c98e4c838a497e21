package dev.sluice.tls;

import org.jspecify.annotations.Nullable;

/**
 * An engine without any I/O: its owner puts received bytes into its memory and sends what waits there.
 *
 * <pre>{@code
 * received:  n = recv(fd, engine.receiveAddress(), engine.receiveCapacity()); engine.received(n);
 *            engine.handshake() or engine.read(...) until WANT_READ
 * to send:   while (engine.sendLength() > 0) { n = send(fd, engine.sendAddress(), engine.sendLength()); engine.sent(n); }
 * }</pre>
 *
 * <p>After every call, whatever it returned, {@link #sendLength()} may be more than 0: handshake messages, tickets, key
 * updates, and the alert of a failure too. Send it before waiting for the peer.
 */
public interface BufferedEngine extends TlsEngine {
    /**
     * Goes on with a server's handshake as {@link #handshake()} does, and takes early data where its context has an
     * {@link EarlyDataPolicy}. A connection that begins with this call goes on with it until its handshake is complete; one that
     * begins with the other call refuses early data.
     *
     * @param earlyAddress where early data goes, which must not be acted upon as if the client were known to be there
     * @param earlyCapacity room there, in bytes, at least 1
     * @return bytes of early data (call again); or what {@link #handshake()} returns
     */
    default int handshake(long earlyAddress, int earlyCapacity) {
        return handshake();
    }

    /** The early data that was taken, as soon as it is, before any of it is handed out; null when none was. */
    default @Nullable EarlyData earlyData() {
        return null;
    }

    /** Room for received bytes at {@link #receiveAddress()}, in bytes; 0 when there is none: read first. */
    int receiveCapacity();

    /**
     * Where received bytes go. The memory stays valid until {@link #received}, reads and writes in between included, or
     * {@link #close()}.
     */
    long receiveAddress();

    /**
     * Bytes came.
     *
     * @param count bytes put at the address that {@link #receiveAddress()} returned last; 0 when none came after all
     * @throws IllegalArgumentException when there was no room for as many
     */
    void received(int count);

    /**
     * The peer's FIN came, or the connection is gone. Once the bytes before are read, {@link #read} and
     * {@link #handshake} tell whether it was a truncation.
     */
    void receivedEndOfStream();

    /** Bytes that wait to be sent at {@link #sendAddress()}; ask again after {@link #sent}: there may be more. */
    int sendLength();

    /** Where those bytes lie: valid and unchanged until {@link #sent} or {@link #close()}, whatever is called. */
    long sendAddress();

    /**
     * Bytes have left.
     *
     * @param count at most {@link #sendLength()}
     */
    void sent(int count);
}
