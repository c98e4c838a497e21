package dev.sluice.gateway.tickets;

import dev.sluice.config.model.TicketConfig;
import dev.sluice.config.model.TicketStoreConfig;
import dev.sluice.ffi.openssl.TicketKey;
import dev.sluice.gateway.flight.Flight;
import dev.sluice.gateway.flight.FlightEvents;
import dev.sluice.gateway.log.PlainCause;
import dev.sluice.tls.ticket.TicketKeyInfo;
import dev.sluice.tls.ticket.TicketKeyRing;
import dev.sluice.tls.ticket.TimedTicketKey;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A gateway's ticket keys: the ring that handshakes use, and a thread that keeps it as the configuration says. May be
 * used from any thread; what may wait for a store says so.
 */
public final class TicketKeys implements AutoCloseable {
    private final TicketKeyRing ring;
    private final TicketKeySource source;
    private final InstantSource clock;
    private final TicketKeyLog log;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition wakeUp = lock.newCondition();
    /** The current key as it was last logged. */
    private String currentKey = "";

    private boolean changed;
    private boolean closed;

    TicketKeys(TicketKeyRing ring, TicketKeySource source, InstantSource clock, TicketKeyLog log) {
        this.ring = ring;
        this.source = source;
        this.clock = clock;
        this.log = log;
    }

    /**
     * Begins: there are keys when this returns, if need be after the time that a store may take.
     *
     * @return the caller closes it
     * @throws TicketKeyException when the fleet key cannot be read any more
     */
    public static TicketKeys start(TicketConfig config, TicketKeyLog log) throws TicketKeyException {
        TicketKeys keys = TicketKeySources.make(config, InstantSource.system(), log);
        keys.refresh();
        keys.begin(config.store() instanceof TicketStoreConfig.Redis);
        return keys;
    }

    /** Returns the problem with a store as far as this machine's files show one; null when there is none. */
    public static @Nullable String problem(TicketStoreConfig store) {
        return TicketKeySources.problem(store);
    }

    /** Returns the key ring that handshakes use. */
    public TicketKeyRing ring() {
        return ring;
    }

    /** The keys without their secrets. */
    public List<TicketKeyInfo> keys() {
        return ring.keys();
    }

    /** Returns the status of the keys' source. */
    public SourceStatus status() {
        return source.status();
    }

    /**
     * Has a new key take over. May wait for a store.
     *
     * @return what was done
     * @throws TicketKeyException when it cannot be done
     */
    public String rotate() throws TicketKeyException {
        lock.lock();
        try {
            String told = source.rotate();
            noteCurrent();
            return told;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Opens tickets with the keys of a file, nginx's or HAProxy's, too. May wait for a store.
     *
     * @return what was done
     * @throws TicketKeyException when it cannot be done
     */
    public String importKeys(Path file) throws TicketKeyException {
        List<TicketKey> keys = TicketKeyFile.read(file);
        lock.lock();
        try {
            return source.take(keys);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Writes the keys to a new file that only its owner may read, in the form and order of HAProxy's: the last is the
     * next one, the last but one seals.
     *
     * @return what was done
     * @throws TicketKeyException when it cannot be done
     */
    public String exportKeys(Path file) throws TicketKeyException {
        lock.lock();
        try {
            List<TicketKey> keys = exported();
            TicketKeyFile.write(file, keys);
            return keys.size() + " keys written to " + file
                    + ", the last but one seals; keep it secret, and delete it soon";
        } catch (FileAlreadyExistsException e) {
            throw new TicketKeyException(file + " already exists and is not overwritten; name another file", e);
        } catch (IOException e) {
            throw new TicketKeyException(
                    file + " cannot be written (" + PlainCause.of(e)
                            + "); name a file in a directory that the gateway's user may write to",
                    e);
        } finally {
            lock.unlock();
        }
    }

    /** The oldest first; of those that are to come only the first, and if there is none, the current one again. */
    private List<TicketKey> exported() {
        long now = clock.millis();
        List<TimedTicketKey> alive = ring.timedKeys().reversed().stream()
                .filter(key -> key.isAlive(now))
                .toList();
        List<TimedTicketKey> next =
                alive.stream().filter(key -> !key.isInForce(now)).toList();
        List<TimedTicketKey> all =
                new ArrayList<>(alive.stream().filter(key -> key.isInForce(now)).toList());
        all.add(next.isEmpty() ? all.getLast() : next.getFirst());
        return all.stream().map(TimedTicketKey::key).toList();
    }

    // --- the thread -------------------------------------------------------------------------------------------------

    /**
     * Starts the source.
     *
     * @param waits whether the source waits for the network, which a virtual thread does at no cost
     */
    private void begin(boolean waits) {
        Thread.Builder builder =
                waits ? Thread.ofVirtual() : Thread.ofPlatform().daemon();
        var _ = builder.name("ticket-keys").start(this::run);
    }

    private void run() {
        Duration pause = Duration.ZERO;
        while (await(pause)) {
            pause = refresh();
        }
    }

    private Duration refresh() {
        lock.lock();
        try {
            changed = false;
            Duration pause = source.refresh();
            noteCurrent();
            return pause;
        } catch (RuntimeException e) {
            log.warn("ticket-key refresh failed; keeping the current keys, retry in a minute: " + e);
            return Duration.ofMinutes(1);
        } finally {
            lock.unlock();
        }
    }

    /** Tells of another key that seals than the last time. */
    private void noteCurrent() {
        List<TicketKeyInfo> all = ring.keys();
        TicketKeyInfo current = all.stream()
                .filter(key -> key.state() == TicketKeyInfo.State.CURRENT)
                .findFirst()
                .orElse(null);
        FlightEvents events = Flight.events();
        if (current != null && !current.id().equals(currentKey)) {
            if (events != null) {
                events.keysRotated(current.id(), current.generation(), all.size());
            }
            currentKey = current.id();
        }
    }

    /** Waits for the time to pass or for a change; false: it is over. */
    private boolean await(Duration pause) {
        lock.lock();
        try {
            long nanos = Math.max(1, pause.toNanos());
            while (!closed && !changed && nanos > 0) {
                nanos = wakeUp.awaitNanos(nanos);
            }
            return !closed;
        } catch (InterruptedException e) {
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** The store may have changed. */
    void look() {
        lock.lock();
        try {
            changed = true;
            wakeUp.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the thread and wipes the keys. No connection may be left that was made with them. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            wakeUp.signalAll();
            source.close();
            ring.close();
        } finally {
            lock.unlock();
        }
    }
}
