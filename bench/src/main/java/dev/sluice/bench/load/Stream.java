package dev.sluice.bench.load;

import java.nio.ByteBuffer;

/** One connection of the load generator, plain or TLS. Confined to its dialer's thread. */
interface Stream {
    /** Queues the bytes between position and limit. They must stay unchanged until {@link Handler#onDrained}. */
    void send(ByteBuffer payload);

    /** Ends our direction (close_notify on TLS, FIN), waits for the peer's end, and reports {@link Handler#onEnd}. */
    void close();

    /** Told what happens, on the dialer's thread. */
    interface Handler {
        /**
         * The connection, with its TLS handshake, is complete.
         *
         * @param resumed whether an earlier session was taken up; false on a plain connection
         */
        void onOpen(Stream stream, boolean resumed);

        /** So many bytes came. What they are is not looked at: tests of the servers do that. */
        void onReceived(Stream stream, int count);

        /** All that was queued has left. */
        void onDrained(Stream stream);

        /** The connection is over, after {@link #close()} or since the peer ended it. */
        void onEnd(Stream stream);

        /** The connection broke. Nothing else follows. */
        void onFailed(Stream stream, String reason);
    }
}
