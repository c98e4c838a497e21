package dev.sluice.transfer.move;

import dev.sluice.transfer.protocol.Hello;
import dev.sluice.transfer.protocol.TransferRole;
import dev.sluice.transfer.protocol.TransferSummary;
import dev.sluice.transfer.protocol.Wire;
import dev.sluice.transfer.tree.SourceTree;
import dev.sluice.transfer.tree.TransferException;
import dev.sluice.transfer.tree.TransferFailure;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A source of a tree. Each stream is independent: it answers requests in their order, on the thread that serves it, and
 * keeps no state about the target's progress, so a target that returns resumes without its help.
 *
 * <p>A server calls {@link #serve} for each stream that it accepts. A sender that connects calls {@link #send}, which
 * opens as many further streams as the target wants.
 */
public final class Sender {
    private final SourceTree tree;
    private final BandwidthLimit limit;
    private final TransferProgress progress = new TransferProgress();
    private final Set<Wire> wires = new HashSet<>();
    private final Set<Push> pushes = ConcurrentHashMap.newKeySet();
    private volatile boolean cancelled;

    /**
     * Creates a sender.
     *
     * @param tree stays the caller's
     */
    public Sender(SourceTree tree, BandwidthLimit limit) {
        this.tree = tree;
        this.limit = limit;
    }

    /** Returns the counters of all streams, for a progress bar; a source does not know which files are complete. */
    public TransferProgress progress() {
        return progress;
    }

    /**
     * Serves one accepted stream until its end, and closes it.
     *
     * @return the target's summary; null of a stream other than the first
     * @throws TransferException when the transfer fails
     */
    public @Nullable TransferSummary serve(Wire wire) throws TransferException {
        return use(wire, new Listing(progress), source -> source.accepted(null));
    }

    /** Serves one accepted stream whose hello was read; otherwise as {@code serve}. */
    public @Nullable TransferSummary serve(Wire wire, Hello theirs) throws TransferException {
        return use(wire, new Listing(progress), source -> source.accepted(theirs));
    }

    /**
     * Sends the tree to a target, over a first stream and those that it wants besides; closes them.
     *
     * @param session the identifier of the session, 16 random bytes
     * @param streams opens further streams
     * @return the target's summary
     * @throws TransferException when the transfer fails
     */
    public TransferSummary send(Wire first, byte[] session, StreamFactory streams) throws TransferException {
        List<Thread> threads = new CopyOnWriteArrayList<>();
        Push push = new Push();
        StreamsWanted more = wanted -> {
            // The target says the same again on a first stream that was lost.
            for (int i = threads.size() + 1; i < wanted; i++) {
                int stream = i;
                threads.add(Thread.ofPlatform()
                        .name("sluice-send-" + stream)
                        .start(() -> sendMore(streams, stream, session, push)));
            }
        };
        pushes.add(push);
        try {
            Hello ours = Hello.of(TransferRole.SOURCE, 0, session);
            TransferSummary summary = dial(first, ours, streams, more, push);
            if (summary == null) {
                throw new TransferException(TransferFailure.PEER_VANISHED, "the first stream ended without a summary");
            }
            return summary;
        } catch (TransferException e) {
            abortAll();
            throw cancelled ? e : push.reasonOf(e);
        } finally {
            push.end();
            pushes.remove(push);
            joinAll(threads);
        }
    }

    /** Ends all streams at once, and those that come, from any thread; the target keeps what it has. */
    public void cancel() {
        cancelled = true;
        pushes.forEach(Push::end);
        abortAll();
    }

    private void abortAll() {
        synchronized (wires) {
            wires.forEach(Wire::abort);
        }
    }

    /** Serves a further stream, whose loss leaves the work to the others. */
    private void sendMore(StreamFactory streams, int stream, byte[] session, Push push) {
        try {
            Hello ours = Hello.of(TransferRole.SOURCE, stream, session);
            TransferSummary _ = dial(null, ours, streams, wanted -> {}, push);
        } catch (TransferException e) {
            // One that cannot be opened is not missed.
            if (push.hasFailed()) {
                abortAll();
            }
        }
    }

    /** Serves a stream that this side opens, and opens it again when its connection is lost. */
    private @Nullable TransferSummary dial(
            @Nullable Wire opened, Hello ours, StreamFactory streams, StreamsWanted more, Push push)
            throws TransferException {
        Listing listing = new Listing(progress);
        Redial redial = new Redial(streams, ours.stream(), time -> !push.awaitEnd(time));
        for (Wire wire = opened == null ? redial.open() : opened; wire != null; wire = redial.open()) {
            try {
                return use(wire, listing, source -> {
                    try {
                        return source.connected(ours, more);
                    } catch (TransferException e) {
                        redial.lost(e, source.hasDelivered());
                        push.failed(e);
                        throw e;
                    }
                });
            } catch (TransferException e) {
                if (!StreamFailures.isLoss(e)) {
                    throw e;
                }
                progress.lost();
            }
        }
        throw new TransferException(TransferFailure.CANCELLED, "sending ended");
    }

    /** The course of a {@link #send}: its end, and the failure of a stream that brings it about. Thread-safe. */
    private static final class Push {
        private final CountDownLatch ended = new CountDownLatch(1);
        private final AtomicReference<@Nullable TransferException> failure = new AtomicReference<>();

        void end() {
            ended.countDown();
        }

        /**
         * Counts the failure of a stream. One of the session ends all streams: others may see no more of it than a lost
         * connection. One that is refused came after the end.
         */
        void failed(TransferException cause) {
            if (!StreamFailures.isLoss(cause) && cause.failure() != TransferFailure.REFUSED) {
                failure.compareAndSet(null, cause);
                end();
            }
        }

        boolean hasFailed() {
            return failure.get() != null;
        }

        /** Returns the first failure that ended the streams; otherwise the one of the first stream. */
        TransferException reasonOf(TransferException ofFirst) {
            TransferException reason = failure.get();
            return reason == null ? ofFirst : reason;
        }

        /** Waits for the end; returns false when it has not come in time. */
        boolean awaitEnd(Duration time) {
            try {
                return ended.await(time.toNanos(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return true;
            }
        }
    }

    /** The conversation of a stream. */
    private interface Conversation {
        @Nullable
        TransferSummary run(SourceStream source) throws TransferException;
    }

    private @Nullable TransferSummary use(Wire wire, Listing listing, Conversation conversation)
            throws TransferException {
        try (wire;
                SourceStream source = stream(wire, listing)) {
            synchronized (wires) {
                wires.add(wire);
            }
            try {
                if (cancelled) {
                    throw new TransferException(TransferFailure.CANCELLED, "stream refused");
                }
                return conversation.run(source);
            } catch (TransferException e) {
                throw cancelled ? new TransferException(TransferFailure.CANCELLED, "sending ended", e) : e;
            } finally {
                // Nothing aborts a wire that is closed.
                synchronized (wires) {
                    wires.remove(wire);
                }
            }
        }
    }

    /** Creates a stream. Where that fails, the peer learns it. */
    private SourceStream stream(Wire wire, Listing listing) throws TransferException {
        try {
            return new SourceStream(wire, tree, limit, progress, listing);
        } catch (RuntimeException | Error e) {
            TransferException failure = StreamFailures.of(e);
            StreamFailures.report(wire, null, failure);
            throw failure;
        }
    }

    /** The reaction to the number of streams that a target wants. */
    interface StreamsWanted {
        void open(int streams);
    }

    static void joinAll(List<Thread> threads) {
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (true) {
                try {
                    thread.join();
                    break;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
