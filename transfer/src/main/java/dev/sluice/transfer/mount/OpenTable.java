package dev.sluice.transfer.mount;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The open files, or directories, by the numbers given to the kernel. Guarded by the mount's lock.
 *
 * @param <T> files or directories
 */
final class OpenTable<T> {
    private final List<@Nullable T> all = new ArrayList<>();
    private final Deque<Integer> free = new ArrayDeque<>();

    /** Adds one; returns its number. */
    long add(T opened) {
        Integer index = free.poll();
        if (index == null) {
            all.add(opened);
            return all.size() - 1L;
        }
        all.set(index, opened);
        return index;
    }

    /** Returns the one with a number, or null. */
    @Nullable
    T get(long number) {
        return number >= 0 && number < all.size() ? all.get((int) number) : null;
    }

    /** Removes the one with a number; returns it, or null. */
    @Nullable
    T remove(long number) {
        T opened = get(number);
        if (opened != null) {
            all.set((int) number, null);
            free.add((int) number);
        }
        return opened;
    }
}
