package dev.sluice.net.internal;

import dev.sluice.memory.Slab;
import dev.sluice.net.BufferGeometry;
import dev.sluice.net.LoopStatistics;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints with a receive that stays in the kernel and continues by itself, and what such receives brought
 * unasked.
 *
 * <p>A multishot receive spares a submission for each message. Its price is that nobody can tell the kernel in time to
 * stop: it brings what is there, up to 32 buffers in one go (MULTISHOT_MAX_RETRY in io_uring/net.c; all that are on
 * offer before Linux 6.8). What comes while nobody asks is held back here and given out when somebody does, in order.
 * So only connections that receive little at a time get one, it is ended as soon as nobody asks, and none is given out
 * while {@link #mostHeld} buffers or more are held back in all.
 */
final class MultishotReceives {
    /** A connection is calm after so many small receives in a row. */
    static final int CALM_AFTER = 2;

    /** A small receive takes no more than this. */
    static final int SMALL_BYTES = 4096;

    /**
     * Most bytes that are held back for one endpoint: all buffers that the kernel can fill before it hears of the end.
     */
    static final int MOST_BYTES_PER_ENDPOINT = ReceiveBuffers.MOST_ON_OFFER * BufferGeometry.ROOM;

    /**
     * Part of the buffers that may be held back in all; twice what is on offer may come on top before the kernel hears.
     */
    private static final int PART_HELD = 8;

    /** A pool must have so many times the buffers that are on offer, or else there are no multishot receives. */
    private static final int LEAST_POOL = 4;

    private final LoopStatistics statistics;
    private final boolean possible;
    private final int mostHeld;
    private final UnwatchedEndpoints unwatched;
    private final EndpointQueue due = new EndpointQueue();
    private int held;
    private boolean crowded;

    /**
     * Creates an empty set of receives.
     *
     * @param granted whether the kernel has them
     * @param buffers how many buffers the loop has
     * @param onOffer how many of them are on offer to the kernel at most
     * @param unwatched whom those enter that ask no more
     */
    MultishotReceives(
            LoopStatistics statistics, boolean granted, int buffers, int onOffer, UnwatchedEndpoints unwatched) {
        this.statistics = statistics;
        this.possible = granted && buffers >= LEAST_POOL * onOffer;
        this.mostHeld = buffers / PART_HELD;
        this.unwatched = unwatched;
    }

    /** Returns true when the next receive of an endpoint is to be multishot. */
    boolean suits(Endpoint endpoint) {
        return possible
                && !crowded
                && !endpoint.recordsInKernel
                && endpoint.smallReceives >= CALM_AFTER
                && endpoint.receiveCapacity >= BufferGeometry.PAYLOAD;
    }

    /** Notes how much a receive brought. */
    static void note(Endpoint endpoint, int received) {
        int small = received <= SMALL_BYTES ? endpoint.smallReceives + 1 : 0;
        endpoint.smallReceives = (byte) Math.min(small, CALM_AFTER);
    }

    /** Returns true when something is held back for an endpoint: it comes before what the kernel brings next. */
    boolean holdsFor(Endpoint endpoint) {
        HeldBack back = endpoint.heldBack;
        return back != null && !back.holdsNothing();
    }

    /**
     * Holds back what nobody asks for.
     *
     * @param result bytes in the buffer, or how the stream ended
     * @param buffer owned from now on; null when the stream ended
     */
    void hold(Endpoint endpoint, int result, @Nullable Slab buffer) {
        HeldBack back = endpoint.heldBack;
        if (back == null) {
            back = new HeldBack();
            endpoint.heldBack = back;
        }
        if (buffer != null) {
            buffer.window(BufferGeometry.HEADROOM, BufferGeometry.HEADROOM + result);
            back.add(buffer);
            held++;
        } else {
            back.end(result);
        }
    }

    /** Returns true when so much is held back, since the last call, that all multishot receives are to be ended. */
    boolean isNewlyCrowded() {
        boolean before = crowded;
        crowded = crowded ? held > 0 : held >= mostHeld;
        return crowded && !before;
    }

    /** Notes that an endpoint asks for what is held back: it is given the first of that in {@link #give()}. */
    void ask(Endpoint endpoint) {
        HeldBack back = Objects.requireNonNull(endpoint.heldBack);
        if (!back.isDue) {
            back.isDue = true;
            due.add(endpoint);
        }
    }

    /** Returns true when somebody has asked. */
    boolean isAsked() {
        return !due.isEmpty();
    }

    /** Gives each of those that have asked what comes next. */
    void give() {
        for (int left = due.size(); left > 0; left--) {
            Endpoint endpoint = due.poll();
            if (endpoint != null) {
                HeldBack back = Objects.requireNonNull(endpoint.heldBack);
                back.isDue = false;
                if ((endpoint.wanted & Operation.RECEIVE) != 0) {
                    endpoint.wanted &= ~Operation.RECEIVE;
                    give(endpoint, back);
                    unwatched.add(endpoint);
                }
            }
        }
    }

    private void give(Endpoint endpoint, HeldBack back) {
        Slab buffer = back.first();
        if (buffer == null) {
            UnwatchedEndpoints.noteEnd(endpoint);
            endpoint.onReceived(back.takeEnd(), null);
        } else if (endpoint.receiveAddress == 0) {
            endpoint.onReceived(buffer.length(), taken(back));
        } else {
            endpoint.onReceived(copy(buffer, endpoint, back), null);
        }
    }

    /**
     * Copies a buffer to a receive into somebody else's memory, such as the rest of a record whose begin came before.
     */
    private int copy(Slab buffer, Endpoint endpoint, HeldBack back) {
        int count = Math.min(buffer.length(), endpoint.receiveCapacity);
        Copies.copy(statistics, buffer.payloadAddress(), endpoint.receiveAddress, count);
        buffer.consume(count);
        if (buffer.length() == 0) {
            taken(back).release();
        }
        return count;
    }

    private Slab taken(HeldBack back) {
        held--;
        return Objects.requireNonNull(back.take());
    }

    /** Releases what is held back for an endpoint that has gone. */
    void forget(Endpoint endpoint) {
        HeldBack back = endpoint.heldBack;
        while (back != null && !back.isEmpty()) {
            taken(back).release();
        }
    }
}
