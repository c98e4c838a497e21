package dev.sluice.gateway.tickets;

import dev.sluice.config.model.TicketStoreConfig;
import java.time.Instant;

/**
 * A store for one document that the nodes of a fleet share. It sees sealed bytes only. Blocks, for as long as its own
 * time limits say; called by one thread at a time.
 */
public interface DocumentStore extends AutoCloseable {
    /** The state of the document at one time. */
    final class Snapshot {
        private final long generation;
        private final byte[] document;
        private final Instant time;

        /**
         * Takes a document over.
         *
         * @param generation by which {@link #replace} compares; 0: there is no document
         * @param document sealed; empty: there is none
         * @param time of the store's own clock
         */
        public Snapshot(long generation, byte[] document, Instant time) {
            this.generation = generation;
            this.document = document;
            this.time = time;
        }

        /** Returns the generation by which {@link #replace} compares; 0 when there is no document. */
        public long generation() {
            return generation;
        }

        /** The document, sealed; not to be changed. */
        public byte[] document() {
            return document;
        }

        /** Returns the time of the read, by the store's own clock. */
        public Instant time() {
            return time;
        }

        /** Returns true when there is no document. */
        public boolean isEmpty() {
            return generation == 0;
        }
    }

    /**
     * Reads what stands there.
     *
     * @throws TicketKeyException when the store cannot be reached, or does not answer in time
     */
    Snapshot read() throws TicketKeyException;

    /**
     * Puts a document in the place of another, and announces it, if nobody else has done so meanwhile.
     *
     * @param expected the generation that was read
     * @return whether it was done; if not, somebody else's stands there
     * @throws TicketKeyException when the store cannot be reached; the document may have been replaced all the same
     */
    boolean replace(long expected, long generation, byte[] document) throws TicketKeyException;

    /** Calls back, on any thread, whenever somebody may have replaced the document. Once. */
    void onChange(Runnable listener);

    /** Returns the store as the configuration names it, without a password. */
    @Override
    String toString();

    @Override
    void close();

    /**
     * Returns the way to a document beside the ticket keys; nothing is sent yet.
     *
     * @param suffix of the document's name, which begins as that of the ticket keys
     * @param what the document is, for messages
     * @throws TicketKeyException when the client library or the authorities cannot be used
     */
    static DocumentStore beside(TicketStoreConfig.Redis tickets, String suffix, String what) throws TicketKeyException {
        RedisClient.require();
        return new RedisStore(tickets.address().beside(suffix), RedisTls.trusting(tickets.authorities()), what);
    }
}
