package dev.sluice.gateway.tickets;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** A store in memory, on a clock that the test sets, that can be lost, and whose content can be tampered with. */
public final class MemoryStore {
    private final InstantSource clock;
    private final List<Runnable> listeners = new ArrayList<>();
    public long generation;
    public byte[] document = {};
    public int replacements;
    public boolean lost;

    /** Runs once, right before somebody's next replacement: what another node does meanwhile. */
    public Runnable beforeReplacement = () -> {};

    public MemoryStore(InstantSource clock) {
        this.clock = clock;
    }

    public void empty() {
        generation = 0;
        document = new byte[0];
    }

    /** One node's way to it. */
    public DocumentStore link() {
        return new Link();
    }

    private void requireThere() throws TicketKeyException {
        if (lost) {
            throw new TicketKeyException("the store does not answer");
        }
    }

    private final class Link implements DocumentStore {
        @Override
        public Snapshot read() throws TicketKeyException {
            requireThere();
            return new Snapshot(generation, document.clone(), clock.instant());
        }

        @Override
        public boolean replace(long expected, long newGeneration, byte[] newDocument) throws TicketKeyException {
            requireThere();
            Runnable meanwhile = beforeReplacement;
            beforeReplacement = () -> {};
            meanwhile.run();
            if (generation != expected) {
                return false;
            }
            generation = newGeneration;
            document = newDocument.clone();
            replacements++;
            listeners.forEach(Runnable::run);
            return true;
        }

        @Override
        public void onChange(Runnable listener) {
            listeners.add(listener);
        }

        @Override
        public void close() {}

        @Override
        public String toString() {
            return "memory://store";
        }
    }
}
