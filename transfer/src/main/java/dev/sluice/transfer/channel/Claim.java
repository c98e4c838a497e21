package dev.sluice.transfer.channel;

import java.util.concurrent.atomic.AtomicReference;

/**
 * The use of one direction of a channel by one thread at a time, so that a second thread fails instead of corrupting
 * records, and a close never frees memory in use. An uncontended claim is one compare-and-set.
 */
final class Claim {
    private enum State {
        FREE,
        HELD,
        CLOSED
    }

    private final AtomicReference<State> state = new AtomicReference<>(State.FREE);

    /** Takes the direction; returns false while another thread has it, and after {@link #close}. */
    boolean tryTake() {
        return state.compareAndSet(State.FREE, State.HELD);
    }

    boolean isClosed() {
        return state.get() == State.CLOSED;
    }

    void release() {
        state.set(State.FREE);
    }

    /**
     * Waits until the direction is free and closes it.
     *
     * @return false if it was closed before
     */
    boolean close() {
        while (!tryTake()) {
            if (isClosed()) {
                return false;
            }
            Thread.onSpinWait();
        }
        state.set(State.CLOSED);
        return true;
    }
}
