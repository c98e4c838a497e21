package dev.sluice.bench.load;

import java.nio.ByteBuffer;

/** One connection of the load generator, plain or TLS. Confined to its dialer's thread. */
interface Stream {
    /** Queues the bytes between position and limit, which must stay unchanged until {@link Handler#onDrained}. */
    void send(ByteBuffer payload);

    /**
     * Ends our direction (close_notify on TLS, else FIN), waits for the peer's end, and calls {@link Handler#onEnd}.
     */
    void close();

    /** A listener for events on the dialer's thread. */
    interface Handler {
        /**
         * Handles the complete connection, including its TLS handshake.
         *
         * @param resumed true if a session was resumed; false on a plain connection
         */
        void onOpen(Stream stream, boolean resumed);

        /** Handles received bytes. Their content is not checked here, but in tests of the servers. */
        void onReceived(Stream stream, int count);

        /** Handles the completion of all queued sends. */
        void onDrained(Stream stream);

        /** Handles the end of the connection, after {@link #close()} or by the peer. */
        void onEnd(Stream stream);

        /** Handles a failed connection. No other event follows. */
        void onFailed(Stream stream, String reason);
    }
}
