package dev.sluice.transfer.move;

import dev.sluice.transfer.protocol.FrameInput;
import dev.sluice.transfer.protocol.Hello;
import dev.sluice.transfer.protocol.TransferRole;
import dev.sluice.transfer.protocol.TransferSummary;
import dev.sluice.transfer.protocol.Wire;
import dev.sluice.transfer.tree.TransferException;
import dev.sluice.transfer.tree.TransferFailure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The accepting side of transfers in both directions: sends to peers that pull, and receives from peers that push, as
 * far as it has a part for that. Thread-safe; each accepted stream has a thread of its own.
 */
public final class TransferServer {
    /** A source of receivers, one for each push. */
    @FunctionalInterface
    public interface Receivers {
        /**
         * Returns a new receiver.
         *
         * @param peer the fingerprint of the peer that pushes
         * @throws TransferException when there can be none
         */
        Receiver open(String peer) throws TransferException;
    }

    /** A session of a peer; no other peer can join it. */
    private record Key(String peer, String session) {}

    private final @Nullable Sender sender;
    private final @Nullable Receivers receivers;
    private final Map<Key, Receiver> pushes = new ConcurrentHashMap<>();
    private volatile boolean cancelled;

    /**
     * Creates a server.
     *
     * @param sender null to refuse pulls
     * @param receivers null to refuse pushes
     */
    public TransferServer(@Nullable Sender sender, @Nullable Receivers receivers) {
        this.sender = sender;
        this.receivers = receivers;
    }

    /**
     * Uses an accepted stream until its end, on the calling thread, and closes it.
     *
     * @param peer the fingerprint of the authenticated peer
     * @return the summary of a transfer that has ended; null of a stream other than its first
     * @throws TransferException when the transfer fails
     */
    public @Nullable TransferSummary serve(Wire wire, String peer) throws TransferException {
        try (wire) {
            Hello hello = greet(wire);
            if (hello.role() == TransferRole.TARGET) {
                return sender == null ? refuse(wire, "this side sends nothing") : sender.serve(wire, hello);
            }
            return push(wire, hello, peer);
        } catch (IOException e) {
            throw StreamFailures.of(e);
        }
    }

    private static Hello greet(Wire wire) throws IOException {
        try {
            return new FrameInput(wire).hello();
        } catch (TransferException e) {
            if (!StreamFailures.isLoss(e)) {
                StreamFailures.report(wire, null, e);
            }
            throw e;
        }
    }

    private @Nullable TransferSummary push(Wire wire, Hello hello, String peer) throws IOException {
        if (receivers == null) {
            return refuse(wire, "this side receives nothing");
        }
        Key key = new Key(peer, HexFormat.of().formatHex(hello.session()));
        Receiver known = pushes.get(key);
        if (known != null) {
            known.join(wire, hello);
            return null;
        }
        if (hello.stream() > 0) {
            return refuse(wire, "stream of an unknown session: stream=" + hello.stream());
        }
        endLost(peer);
        Receiver receiver = open(receivers, wire, peer);
        if (pushes.putIfAbsent(key, receiver) != null) {
            receiver.close();
            return refuse(wire, "the session exists already");
        }
        if (cancelled) {
            receiver.cancel();
        }
        try {
            return receiver.accept(wire, hello);
        } finally {
            synchronized (pushes) {
                pushes.remove(key);
                pushes.notifyAll();
            }
        }
    }

    /** Ends the sessions of a peer that wait for a stream to return, since their files would be locked. */
    private void endLost(String peer) throws TransferException {
        List<Receiver> lost = new ArrayList<>();
        pushes.forEach((key, receiver) -> {
            if (key.peer().equals(peer) && receiver.giveUpIfLost()) {
                lost.add(receiver);
            }
        });
        synchronized (pushes) {
            while (!Collections.disjoint(pushes.values(), lost)) {
                try {
                    pushes.wait();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new TransferException(TransferFailure.CANCELLED, "interrupted", e);
                }
            }
        }
    }

    /** Opens a receiver. Where that fails, the peer learns it, since otherwise it would connect again. */
    private static Receiver open(Receivers receivers, Wire wire, String peer) throws TransferException {
        try {
            return receivers.open(peer);
        } catch (TransferException | RuntimeException e) {
            TransferException failure = StreamFailures.of(e);
            StreamFailures.report(wire, null, failure);
            throw failure;
        }
    }

    private static TransferSummary refuse(Wire wire, String event) throws TransferException {
        TransferException refusal = new TransferException(TransferFailure.REFUSED, event);
        StreamFailures.report(wire, null, refusal);
        throw refusal;
    }

    /** Ends all transfers at once, and those that come, from any thread. */
    public void cancel() {
        cancelled = true;
        if (sender != null) {
            sender.cancel();
        }
        pushes.values().forEach(Receiver::cancel);
    }
}
