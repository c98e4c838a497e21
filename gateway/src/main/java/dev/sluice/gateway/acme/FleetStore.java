package dev.sluice.gateway.acme;

import dev.sluice.gateway.tickets.DocumentStore;
import dev.sluice.gateway.tickets.DocumentStore.Snapshot;
import dev.sluice.gateway.tickets.FleetKey;
import dev.sluice.gateway.tickets.TicketKeyException;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The document that the nodes of a fleet share about their orders, sealed under the fleet's key. Every change is made
 * to what stands there, and taken if nobody else was first. May be used from any thread; waits for the store.
 */
final class FleetStore implements AutoCloseable {
    /** The number of attempts at a change when another node was first; each time that node's change is in. */
    private static final int ATTEMPTS = 16;

    private final Opening opening;
    private final String name;
    private final Runnable announced;
    private final InstantSource clock;
    private final AcmeLog log;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Link link;
    private byte[] knownBytes = {};
    private FleetDocument known = FleetDocument.EMPTY;
    private boolean closed;
    private @Nullable String problem;
    private volatile @Nullable Instant synced;
    private final AtomicLong failures = new AtomicLong();

    /**
     * The way to the store, and the key of the fleet.
     *
     * @param store closed with this
     * @param key closed with this
     */
    record Link(DocumentStore store, FleetKey key) {}

    /** A factory of the way to the store. */
    @FunctionalInterface
    interface Opening {
        Link open() throws TicketKeyException;
    }

    /** A change of the document. */
    @FunctionalInterface
    interface Change {
        /**
         * Returns the next document.
         *
         * @param time of the store's clock
         */
        FleetDocument of(FleetDocument document, Instant time);
    }

    /**
     * Creates a store, which is opened when it is first needed.
     *
     * @param name as the configuration names it
     * @param announced runs, on any thread, when another node may have changed the document
     */
    FleetStore(Opening opening, String name, Runnable announced, InstantSource clock, AcmeLog log) {
        this.opening = opening;
        this.name = name;
        this.announced = announced;
        this.clock = clock;
        this.log = log;
    }

    /** Reads the document. */
    FleetDocument read() throws AcmeFailure, InterruptedException {
        return change((document, _) -> document);
    }

    /**
     * Changes the document; returns it as it stands there then.
     *
     * @throws AcmeFailure.Store when the store cannot be used; the change may have been made all the same
     */
    FleetDocument change(Change change) throws AcmeFailure, InterruptedException {
        lock.lockInterruptibly();
        try {
            FleetDocument changed = attempt(opened(), change);
            isWell();
            return changed;
        } catch (TicketKeyException e) {
            throw failed(String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw failed("ACME state of " + name + " " + e.getMessage(), e);
        } finally {
            lock.unlock();
        }
    }

    private FleetDocument attempt(Link open, Change change) throws TicketKeyException, IOException {
        for (int i = 0; i < ATTEMPTS; i++) {
            Snapshot snapshot = open.store().read();
            FleetDocument before = decoded(open, snapshot);
            FleetDocument after = change.of(before, snapshot.time());
            if (after.equals(before)) {
                return before;
            }
            long generation = snapshot.generation() + 1;
            byte[] sealed = open.key().seal(after.encode(generation));
            if (open.store().replace(snapshot.generation(), generation, sealed)) {
                known = after;
                knownBytes = sealed;
                return after;
            }
        }
        throw new IOException("was changed by others " + ATTEMPTS + " times while this node wanted to change it; this"
                + " comes right by itself, unless something else than the nodes writes there");
    }

    /** Each sealed text has a random number of its own: the same bytes are the same document. */
    private FleetDocument decoded(Link open, Snapshot snapshot) throws TicketKeyException, IOException {
        if (snapshot.isEmpty()) {
            return FleetDocument.EMPTY;
        }
        if (!Arrays.equals(snapshot.document(), knownBytes)) {
            byte[] text = open.key().openBytes(snapshot.document(), "ACME state of " + name);
            known = FleetDocument.decode(text, snapshot.generation());
            knownBytes = snapshot.document();
        }
        return known;
    }

    private Link opened() throws TicketKeyException, IOException {
        if (closed) {
            throw new IOException("is not used any more: the gateway ends");
        }
        Link open = link;
        if (open == null) {
            open = opening.open();
            open.store().onChange(announced);
            link = open;
        }
        return open;
    }

    // --- private keys -----------------------------------------------------------------------------------------------

    /** Seals a private key; the caller wipes it. */
    byte[] seal(byte[] secret) throws AcmeFailure, InterruptedException {
        lock.lockInterruptibly();
        try {
            return opened().key().seal(secret);
        } catch (TicketKeyException | IOException e) {
            throw failed(String.valueOf(e.getMessage()), e);
        } finally {
            lock.unlock();
        }
    }

    /** Opens a private key; the caller wipes it. */
    byte[] open(byte[] sealed) throws AcmeFailure, InterruptedException {
        lock.lockInterruptibly();
        try {
            return opened().key().openBytes(sealed, "private key in the ACME state of " + name);
        } catch (TicketKeyException | IOException e) {
            throw failed(String.valueOf(e.getMessage()), e);
        } finally {
            lock.unlock();
        }
    }

    // --- how it does ------------------------------------------------------------------------------------------------

    private void isWell() {
        synced = clock.instant();
        if (problem != null) {
            problem = null;
            log.info("ACME: " + name + " can be used again");
        }
    }

    private AcmeFailure failed(String message, Exception cause) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("over the store: " + message);
        }
        failures.incrementAndGet();
        if (!closed && !message.equals(problem)) {
            problem = message;
            log.warn("ACME: " + message + "; the certificates that this node has stay in use, and none is ordered"
                    + " meanwhile");
        }
        return new AcmeFailure.Store(message, cause);
    }

    /** Returns the status. */
    AcmeStoreStatus status() {
        return new AcmeStoreStatus(name, synced, failures.get());
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            if (link != null) {
                link.store().close();
                link.key().close();
                link = null;
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
