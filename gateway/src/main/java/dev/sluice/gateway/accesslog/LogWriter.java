package dev.sluice.gateway.accesslog;

import dev.sluice.config.log.AccessLogConfig;
import dev.sluice.gateway.log.PlainCause;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The writer of entries from the loops' rings as lines, on the access log's own thread. While the file cannot be
 * written, the current lines are kept and retried each second, and new entries stay in the rings as long as there is
 * room.
 */
final class LogWriter implements Runnable {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Lines that are written together at most: some 100 KiB. */
    private static final int LINES_AT_ONCE = 256;

    private final List<EntryRing> rings;
    private final AccessLogCounters counters;
    private final AccessLogNotes notes;
    private final JsonLines lines;
    private ByteBuffer unwritten = ByteBuffer.allocate(0);
    private LogFile file;
    private boolean failing;
    private long droppedBefore;
    private long lookedNanos = System.nanoTime();
    /** The value of {@link #lookedNanos} at the last failure. */
    private long failedNanos;

    private volatile AccessLogConfig config;
    private volatile boolean reopenAsked;
    private volatile boolean ending;

    LogWriter(
            List<EntryRing> rings,
            NameTable names,
            AccessLogConfig config,
            AccessLogCounters counters,
            AccessLogNotes notes) {
        this.rings = rings;
        this.config = config;
        this.counters = counters;
        this.notes = notes;
        this.lines = new JsonLines(names);
        this.file = new LogFile(config);
    }

    /** Applies another configuration, such as another path, from now on; may be called from any thread. */
    void configure(AccessLogConfig next) {
        config = next;
    }

    /** Closes the file and opens the one that has its name by then; may be called from any thread. */
    void reopen() {
        reopenAsked = true;
    }

    /** Makes {@link #run} return when everything now in the rings is written; may be called from any thread. */
    void end() {
        ending = true;
    }

    @Override
    public void run() {
        while (true) {
            boolean last = ending;
            adapt();
            boolean busy = work();
            if (last && !busy) {
                break;
            }
            if (!busy) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        dropRest();
        file.close();
    }

    /** Applies a new configuration or a request to reopen, and notices that the file was moved. */
    private void adapt() {
        AccessLogConfig wanted = config;
        if (!wanted.equals(file.config())) {
            file.close();
            file = new LogFile(wanted);
        } else if (reopenAsked) {
            reopenAsked = false;
            file.close();
        }
        if (System.nanoTime() - lookedNanos > LOOK_NANOS) {
            lookedNanos = System.nanoTime();
            file.closeIfMoved();
        }
    }

    /** Returns true when something was written, so that there may be more. */
    private boolean work() {
        if (!unwritten.hasRemaining()) {
            lines.clear();
            for (EntryRing ring : rings) {
                ring.read(entry -> lines.add(entry, file.config().sample()), LINES_AT_ONCE);
            }
            unwritten = lines.content();
        }
        return isOpen() && unwritten.hasRemaining() && write();
    }

    /**
     * Opens the file if need be, also when there is nothing to write; after a failure not more often than it is looked
     * at.
     */
    private boolean isOpen() {
        if (failing && !ending && failedNanos == lookedNanos) {
            return false;
        }
        try {
            if (file.open()) {
                toStartOfLine(unwritten);
            }
            return true;
        } catch (IOException e) {
            failed(e);
            return false;
        }
    }

    private boolean write() {
        try {
            file.write(unwritten);
            counters.written(lines.lines());
            recovered();
            rotateIfFull();
            return true;
        } catch (IOException e) {
            failed(e);
            return false;
        }
    }

    /** Moves back to the start of a line whose first part was written to another file. */
    private static void toStartOfLine(ByteBuffer rest) {
        int at = rest.position();
        while (at > 0 && rest.get(at - 1) != '\n') {
            at--;
        }
        rest.position(at);
    }

    private void rotateIfFull() {
        if (!file.isFull()) {
            return;
        }
        try {
            file.rotate();
        } catch (IOException e) {
            counters.failed();
            notes.warn("the access log cannot be rotated, and grows (" + PlainCause.of(e) + "): "
                    + file.config().file() + "; let the gateway's user write to its directory");
        }
    }

    private void failed(IOException why) {
        counters.failed();
        failedNanos = lookedNanos;
        if (!failing) {
            failing = true;
            droppedBefore = counters.dropped();
            notes.warn("the access log cannot be written, and is tried again each second (" + PlainCause.of(why) + "): "
                    + file.config().text() + "; make room, or let the gateway's user write there");
        }
    }

    private void recovered() {
        if (failing) {
            failing = false;
            notes.info("the access log is written again, " + (counters.dropped() - droppedBefore)
                    + " lines were lost meanwhile: " + file.config().text());
        }
    }

    /** The end, and the disk fails yet. */
    private void dropRest() {
        int rest = unwritten.hasRemaining() ? lines.lines() : 0;
        for (EntryRing ring : rings) {
            rest += ring.read(entry -> {}, Integer.MAX_VALUE);
        }
        if (rest > 0) {
            counters.dropped(rest);
            notes.warn(rest + " lines of the access log were lost, since it could not be written until the end: "
                    + file.config().text());
        }
    }
}
