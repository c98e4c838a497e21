package dev.sluice.gateway.accesslog;

import dev.sluice.config.log.AccessLogConfig;
import dev.sluice.ffi.libc.AccountedAllocator;
import dev.sluice.ffi.libc.MmapAllocator;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.NativeAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * The access log of a gateway: a ring for each loop, and a thread that writes what is in them.
 *
 * <pre>
 *   loop ──▶ {@link LoopAccessLog} ──▶ {@link EntryRing} ──▶ {@link LogWriter} ──▶ {@link JsonLines} ──▶ {@link
 *   LogFile}
 * </pre>
 *
 * <p>May be used from any thread; each of {@link #loops()} belongs to one loop.
 */
public final class AccessLog implements AutoCloseable {
    /** Entries of some 5,000 connections. */
    static final int RING_BYTES = 1 << 20;

    private static final NativeAllocator RINGS =
            new AccountedAllocator(new MmapAllocator(), Ledger.process().account("access log"));

    private final List<EntryRing> rings;
    private final List<LoopAccessLog> loops = new ArrayList<>();
    private final LogWriter writer;
    private final Thread thread;
    private boolean closed;

    private AccessLog(int loopCount, AccessLogConfig config, AccessLogCounters counters, AccessLogNotes notes) {
        NameTable names = new NameTable();
        this.rings = IntStream.range(0, loopCount)
                .mapToObj(_ -> new EntryRing(RINGS, RING_BYTES))
                .toList();
        rings.forEach(ring -> loops.add(new LoopAccessLog(ring, names, counters)));
        this.writer = new LogWriter(rings, names, config, counters, notes);
        this.thread = Thread.ofPlatform().daemon().name("access-log").unstarted(writer);
    }

    /**
     * Begins. What cannot be written is told of, and tried again.
     *
     * @param loops how many loops there are
     * @return the caller closes it
     */
    public static AccessLog start(int loops, AccessLogConfig config, AccessLogCounters counters, AccessLogNotes notes) {
        AccessLog log = new AccessLog(loops, config, counters, notes);
        log.thread.start();
        return log;
    }

    /** Each loop's end, which shares what is logged by {@link LoopAccessLog#sample}. */
    public List<LoopAccessLog> loops() {
        return List.copyOf(loops);
    }

    /** Another file, or other rules for it, from now on. */
    public void configure(AccessLogConfig next) {
        writer.configure(next);
    }

    /** Somebody has moved the file away: a new one is begun within a moment. */
    public void reopen() {
        writer.reopen();
        LockSupport.unpark(thread);
    }

    /**
     * Writes what is there, and ends; after the loops have written their last. Waits as long as the disk does. Again
     * without effect.
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        writer.end();
        LockSupport.unpark(thread);
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        rings.forEach(EntryRing::close);
    }
}
