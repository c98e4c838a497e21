package dev.sluice.net.internal.peer;

import dev.sluice.net.EventLoop;
import dev.sluice.net.peer.PeerLimits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An event loop and its connections. Confined to the loop's thread, but for {@link #call} and {@link #eventLoop}. */
public final class PeerLoop {
    private final EventLoop loop;
    private final PeerLimits limits;
    private final Set<PeerConnection> peers = Collections.newSetFromMap(new IdentityHashMap<>());
    private @Nullable CompletableFuture<Void> emptied;

    PeerLoop(EventLoop loop, PeerLimits limits) {
        this.loop = loop;
        this.limits = limits;
    }

    /** Returns the event loop. From any thread. */
    public EventLoop eventLoop() {
        return loop;
    }

    /** Returns the limits of each connection. From any thread. */
    public PeerLimits limits() {
        return limits;
    }

    /** Runs a task on the loop, and completes with its result. From any thread. */
    public <T> CompletableFuture<T> call(Supplier<T> task) {
        return CompletableFuture.supplyAsync(task, loop);
    }

    /** Completes a future when no connection is left, once no new ones are made; it replaces an earlier one. */
    public void whenEmpty(CompletableFuture<Void> future) {
        emptied = future;
        completeWhenEmpty();
    }

    /** Calls an action for each connection, which may remove it. */
    public void forEach(Consumer<PeerConnection> action) {
        new ArrayList<>(peers).forEach(action);
    }

    /** Returns the number of connections, handshakes included. */
    public int size() {
        return peers.size();
    }

    void add(PeerConnection peer) {
        peers.add(peer);
    }

    void remove(PeerConnection peer) {
        peers.remove(peer);
        completeWhenEmpty();
    }

    private void completeWhenEmpty() {
        CompletableFuture<Void> waiting = emptied;
        if (waiting != null && peers.isEmpty()) {
            emptied = null;
            waiting.complete(null);
        }
    }
}
