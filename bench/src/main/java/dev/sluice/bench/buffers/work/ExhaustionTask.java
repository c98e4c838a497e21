package dev.sluice.bench.buffers.work;

import java.util.ArrayList;
import java.util.List;

/** Allocations that fail, since all that the JVM allows is in use: the time until the error. */
final class ExhaustionTask implements MeasuredTask {
    private static final int PIECE_BYTES = 1 << 20;
    /** A limit that is never reached is one that does not exist. */
    private static final int MOST_PIECES = 64;

    private final BufferSource<?> source;
    private final List<Object> held = new ArrayList<>();

    /** Allocates until nothing is left; {@code -XX:MaxDirectMemorySize} has to be less than 64 MiB. */
    ExhaustionTask(BufferKind kind) {
        this.source = kind.open(PIECE_BYTES, MOST_PIECES);
        while (!fails()) {
            if (held.size() == MOST_PIECES) {
                throw new IllegalStateException("no limit: " + MOST_PIECES + " MiB were granted");
            }
        }
    }

    @Override
    public void run(int times) {
        for (int i = times; i > 0; i--) {
            if (!fails()) {
                throw new IllegalStateException("an allocation beyond the limit was granted, pieces=" + held.size());
            }
        }
    }

    private boolean fails() {
        try {
            held.add(source.allocate());
            return false;
        } catch (OutOfMemoryError e) {
            return true;
        }
    }
}
