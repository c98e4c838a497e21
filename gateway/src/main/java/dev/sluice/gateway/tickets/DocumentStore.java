package dev.sluice.gateway.tickets;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A store for one document that the nodes of a fleet share. It sees sealed bytes only. Blocks, for as long as its own
 * time limits say; called by one thread at a time.
 */
interface DocumentStore extends AutoCloseable {
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
        Snapshot(long generation, byte[] document, Instant time) {
            this.generation = generation;
            this.document = document;
            this.time = time;
        }

        /** Returns the generation by which {@link #replace} compares; 0 when there is no document. */
        long generation() {
            return generation;
        }

        /** The document, sealed; not to be changed. */
        byte[] document() {
            return document;
        }

        /** Returns the time of the read, by the store's own clock. */
        Instant time() {
            return time;
        }

        /** Returns true when there is no document. */
        boolean isEmpty() {
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

    /** The document of a snapshot, opened. */
    default @Nullable TicketKeyDocument open(Snapshot snapshot, FleetKey key) throws TicketKeyException {
        if (snapshot.isEmpty()) {
            return null;
        }
        TicketKeyDocument document = key.open(snapshot.document(), toString());
        if (document.generation() != snapshot.generation()) {
            document.closeKeys();
            throw new TicketKeyException("ticket keys of " + this + " not usable: generation " + document.generation()
                    + " stands there as " + snapshot.generation()
                    + ", so somebody else than a node wrote it; delete it, and the nodes write what they have");
        }
        return document;
    }
}
