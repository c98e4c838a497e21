package dev.sluice.net;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.libc.ResourceLimit;
import dev.sluice.testkit.Waiting;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A time in which this process cannot open another descriptor. */
final class DescriptorLimit implements AutoCloseable {
    /** Above the highest number in use: what lies below is filled up. */
    private static final int MARGIN = 64;

    private final LibC libc = new LibC();
    private final List<Integer> fillers = new ArrayList<>();
    private final long softBefore;
    private final long hardBefore;

    private DescriptorLimit() {
        try (Arena arena = Arena.ofConfined()) {
            long address = arena.allocate(ResourceLimit.BYTES, 8).address();
            require(libc.getrlimit(Constants.RLIMIT_NOFILE, address));
            this.softBefore = ResourceLimit.soft(address);
            this.hardBefore = ResourceLimit.hard(address);
        }
        int probe = require(libc.eventfd(0, Constants.EFD_CLOEXEC));
        libc.close(probe);
        set(probe + MARGIN);
        fill();
    }

    /** The limit is met when this returns. */
    static DescriptorLimit reached() {
        // Loaded now: class files cannot be opened at the limit.
        Waiting.until(Duration.ZERO, () -> true, () -> "");
        return new DescriptorLimit();
    }

    private void fill() {
        int fd = libc.eventfd(0, Constants.EFD_CLOEXEC);
        while (fd >= 0) {
            fillers.add(fd);
            fd = libc.eventfd(0, Constants.EFD_CLOEXEC);
        }
        if (fd != -Errno.EMFILE) {
            close();
            throw new AssertionError("expected EMFILE, got " + Errno.describe(fd));
        }
    }

    private void set(long soft) {
        try (Arena arena = Arena.ofConfined()) {
            long address = arena.allocate(ResourceLimit.BYTES, 8).address();
            ResourceLimit.set(address, soft, hardBefore);
            require(libc.setrlimit(Constants.RLIMIT_NOFILE, address));
        }
    }

    private static int require(int result) {
        if (result < 0) {
            throw new AssertionError(Errno.describe(result));
        }
        return result;
    }

    @Override
    public void close() {
        set(softBefore);
        fillers.forEach(libc::close);
        libc.close();
    }

    @Override
    public String toString() {
        return fillers.size() + " descriptors taken";
    }
}
