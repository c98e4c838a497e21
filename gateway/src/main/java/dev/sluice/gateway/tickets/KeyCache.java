package dev.sluice.gateway.tickets;

import org.jspecify.annotations.Nullable;

/**
 * A copy of what a node of a fleet has last read from the store, in a file of its own under the fleet's key: so a node
 * that starts while the store is unavailable opens the fleet's tickets, and seals such as the fleet opens, for as long
 * as the keys last that were made in advance.
 */
final class KeyCache implements AutoCloseable {
    private final StateFile file;
    private final Trouble trouble;
    private long lineage;
    private long generation;

    /**
     * Creates a key cache.
     *
     * @param file sealed; closed with this
     */
    KeyCache(StateFile file, Trouble trouble) {
        this.file = file;
        this.trouble = trouble;
    }

    /** Writes a document, unless it stands there already. Its keys stay the caller's. */
    void keep(TicketKeyDocument document) {
        if (document.lineage() == lineage && document.generation() == generation) {
            return;
        }
        try {
            file.save(document);
            lineage = document.lineage();
            generation = document.generation();
            trouble.isOver("the fleet's ticket keys are kept in " + file + " again");
        } catch (TicketKeyException e) {
            trouble.is(e.getMessage());
        }
    }

    /**
     * Returns the document that was kept.
     *
     * @return the caller owns its keys; null: nothing that can be used
     */
    @Nullable
    TicketKeyDocument recall() {
        try {
            return file.load();
        } catch (TicketKeyException e) {
            trouble.is(e.getMessage() + "; this node starts without the fleet's keys");
            file.setAside();
            return null;
        }
    }

    @Override
    public void close() {
        file.close();
    }
}
