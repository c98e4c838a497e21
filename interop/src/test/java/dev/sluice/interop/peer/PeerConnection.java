package dev.sluice.interop.peer;

import java.io.IOException;
import java.io.InputStream;

/**
 * A client's connection whose handshake is complete. One thread may call what sends while another reads what is
 * received. Closing gives everything back, without a close_notify.
 */
public interface PeerConnection extends AutoCloseable {
    /** Name of the negotiated suite in IANA's spelling, such as {@code TLS_AES_128_GCM_SHA256}. */
    String suite();

    /** One write of the library: bytes {@code [from, to)} of an array, cut into records as the library likes. */
    void write(byte[] bytes, int from, int to) throws IOException;

    /** Updates the keys now, where the library lets one; {@code ask}: asks for the peer's own update too. */
    void updateKeys(boolean ask) throws IOException;

    /** Sends a close_notify; what is received goes on. */
    void closeNotify() throws IOException;

    /** Ends the TCP stream without a close_notify; what is received goes on. */
    void endStream() throws IOException;

    /** Resets the TCP connection. Only {@link #close} may follow. */
    void reset() throws IOException;

    /** The plaintext that comes; its end is explained by {@link #awaitEnd}. */
    InputStream received();

    /** Returns the way in which the plaintext ended. To be called when {@link #received} has ended. */
    PeerEnd awaitEnd() throws InterruptedException;

    /** Key updates of the gateway that came; 0 where the library does not tell. To be called after the end. */
    int updatesReceived();

    /** Everything that went wrong, in the library's words. */
    String trouble();

    @Override
    void close();
}
