package dev.sluice.net.internal;

import dev.sluice.net.Timer;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The timers of a loop: a binary heap by deadline in which each timer knows its place, so that a cancel takes it out at
 * once and a cancelled timer keeps nothing alive. Times are {@link System#nanoTime()}.
 */
final class Timers {
    private static final int NOT_QUEUED = -1;

    private @Nullable Entry[] heap = new Entry[16];
    private int size;
    private long madeCount;

    /** Adds a timer that is due after a delay. */
    Timer add(long now, long delayMillis, Runnable task) {
        long delayNanos = TimeUnit.MILLISECONDS.toNanos(Math.max(0, delayMillis));
        Entry entry = new Entry(now + Math.min(delayNanos, Long.MAX_VALUE / 2), madeCount++, task);
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, size * 2);
        }
        siftUp(size++, entry);
        return entry;
    }

    /** Returns the milliseconds until the first is due, rounded up; 0 when one is; -1 when there are none. */
    long millisToNext(long now) {
        if (size == 0) {
            return -1;
        }
        long nanos = at(0).deadline - now;
        return nanos <= 0 ? 0 : (nanos - 1) / TimeUnit.MILLISECONDS.toNanos(1) + 1;
    }

    /** Returns for how long the first has been due; 0 when none is. */
    long overdueNanos(long now) {
        return size == 0 ? 0 : Math.max(0, now - at(0).deadline);
    }

    /** Takes out the task of a timer that is due; null when none is. */
    @Nullable
    Runnable pollDue(long now) {
        if (size == 0 || at(0).deadline - now > 0) {
            return null;
        }
        Entry first = at(0);
        remove(first);
        return first.task;
    }

    int size() {
        return size;
    }

    private void remove(Entry entry) {
        int place = entry.place;
        Entry last = at(--size);
        heap[size] = null;
        entry.place = NOT_QUEUED;
        if (last != entry) {
            siftDown(place, last);
            if (heap[place] == last) {
                siftUp(place, last);
            }
        }
    }

    private void siftUp(int from, Entry entry) {
        int place = from;
        while (place > 0) {
            int parent = (place - 1) >>> 1;
            if (!entry.isBefore(at(parent))) {
                break;
            }
            put(place, at(parent));
            place = parent;
        }
        put(place, entry);
    }

    private void siftDown(int from, Entry entry) {
        int place = from;
        for (int child = 2 * place + 1; child < size; child = 2 * place + 1) {
            if (child + 1 < size && at(child + 1).isBefore(at(child))) {
                child++;
            }
            if (!at(child).isBefore(entry)) {
                break;
            }
            put(place, at(child));
            place = child;
        }
        put(place, entry);
    }

    private Entry at(int place) {
        return Objects.requireNonNull(heap[place]);
    }

    private void put(int place, Entry entry) {
        heap[place] = entry;
        entry.place = place;
    }

    private final class Entry implements Timer {
        final long deadline;
        final long number;
        final Runnable task;
        int place = NOT_QUEUED;

        Entry(long deadline, long number, Runnable task) {
            this.deadline = deadline;
            this.number = number;
            this.task = task;
        }

        /** Returns true for the earlier deadline, and for the one that was made first where they are the same. */
        boolean isBefore(Entry other) {
            long difference = deadline - other.deadline;
            return difference < 0 || (difference == 0 && number < other.number);
        }

        @Override
        public void cancel() {
            if (place != NOT_QUEUED) {
                remove(this);
            }
        }
    }
}
