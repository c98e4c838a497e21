package dev.sluice.bench.buffers.work;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A set of live buffers: each operation frees the oldest and allocates another in its place. */
final class LiveSetTask<B> implements MeasuredTask {
    private static final long MOST_LEAKED_BYTES = 64L << 20;
    private static final long LEAST_LEAKED = 16;
    /** Direct buffers whose objects fill a young generation of 16 MiB. */
    private static final long UNTIL_COLLECTED = 1 << 17;
    /** The limit of direct memory in most experiments. */
    private static final long UNTIL_COLLECTED_BYTES = 256L << 20;

    private final BufferSource<B> source;
    private final BufferUse use;
    private final List<@Nullable B> live;
    private final long least;
    private final long most;
    private int oldest;

    private LiveSetTask(BufferSource<B> source, BufferUse use, int live, long least, long most) {
        this.source = source;
        this.use = use;
        this.live = new ArrayList<@Nullable B>(live);
        for (int i = 0; i < live; i++) {
            this.live.add(null);
        }
        this.least = least;
        this.most = most;
    }

    /**
     * Creates an empty set.
     *
     * @param live number of buffers
     */
    static LiveSetTask<?> of(BufferKind kind, int byteSize, int live, BufferUse use) {
        long most = kind.release() == BufferKind.Release.NEVER
                ? Math.max(LEAST_LEAKED, MOST_LEAKED_BYTES / byteSize)
                : Long.MAX_VALUE;
        long least = kind.release() == BufferKind.Release.COLLECTOR
                ? live + Math.min(UNTIL_COLLECTED, UNTIL_COLLECTED_BYTES / byteSize)
                : live;
        return new LiveSetTask<>(kind.open(byteSize, live), use, live, least, most);
    }

    @Override
    public void run(int times) {
        for (int i = times; i > 0; i--) {
            B last = live.get(oldest);
            if (last != null) {
                source.free(last);
            }
            B fresh = source.allocate();
            use.use(source, fresh);
            live.set(oldest, fresh);
            oldest = oldest + 1 == live.size() ? 0 : oldest + 1;
        }
    }

    /** Returns the operations that fill the set, and that make the collector free the first ones if it has to. */
    @Override
    public long least() {
        return least;
    }

    @Override
    public long most() {
        return most;
    }

    @Override
    public void end() {
        for (B buffer : live) {
            if (buffer != null) {
                source.free(buffer);
            }
        }
        source.close();
    }
}
