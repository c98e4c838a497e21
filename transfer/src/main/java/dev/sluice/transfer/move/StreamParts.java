package dev.sluice.transfer.move;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * The parts of a stream that hold native memory or descriptors, closed together, the last one first: at the end of the
 * stream, or when its creation fails halfway. Confined to one thread.
 */
final class StreamParts implements AutoCloseable {
    private final Deque<Runnable> closes = new ArrayDeque<>();

    /** Adds a part that has just been created, and returns it. */
    <T> T add(T part, Consumer<? super T> close) {
        closes.push(() -> close.accept(part));
        return part;
    }

    /** Closes all parts. Idempotent. */
    @Override
    public void close() {
        while (!closes.isEmpty()) {
            closes.pop().run();
        }
    }
}
