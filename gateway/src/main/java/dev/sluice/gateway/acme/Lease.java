package dev.sluice.gateway.acme;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * An exclusive right among all threads and processes that use a directory: the lock of a file in it. The end of the
 * process ends it too. {@link #close} may be called from any thread.
 */
final class Lease implements AutoCloseable {
    /** The pause between two tries of one who waits: a process is not told when another one's lock ends. */
    private static final Duration POLL = Duration.ofMillis(20);

    /**
     * The files that threads of this process have locked. The kernel's locks are the process's: whoever closes a
     * channel of a file ends them, also those of other threads. So a file here is not even opened.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path file;
    private final FileChannel channel;
    private volatile Runnable alsoReleased = () -> {};

    private Lease(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /**
     * Returns the right; null when somebody else has it.
     *
     * @param directory that of the file
     * @param name the file's, made when it is absent
     */
    static @Nullable Lease attempt(Path directory, String name) throws IOException {
        Path file = directory.toRealPath().resolve(name);
        if (!HELD.add(file)) {
            return null;
        }
        FileChannel channel = null;
        try {
            channel = locked(file);
        } finally {
            if (channel == null) {
                HELD.remove(file);
            }
        }
        return channel == null ? null : new Lease(file, channel);
    }

    /** Returns the right as soon as nobody else has it. */
    static Lease await(Path directory, String name, Duration limit)
            throws IOException, AcmeFailure, InterruptedException {
        long begin = System.nanoTime();
        Lease lease = attempt(directory, name);
        while (lease == null) {
            if (System.nanoTime() - begin >= limit.toNanos()) {
                Path file = directory.resolve(name);
                throw new AcmeFailure(file
                        + " is locked by another order, of this gateway or another one, for more than "
                        + limit.toSeconds() + " s; end the one that hangs (fuser " + file + " names the process)");
            }
            Thread.sleep(POLL);
            lease = attempt(directory, name);
        }
        return lease;
    }

    private static @Nullable FileChannel locked(Path file) throws IOException {
        FileChannel channel = FileChannel.open(
                file,
                EnumSet.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        FileLock lock = null;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException sameProcess) {
            // as if another process had it
        } finally {
            if (lock == null) {
                channel.close();
            }
        }
        return lock == null ? null : channel;
    }

    /** Returns this lease; another one ends with it. */
    Lease with(Runnable release) {
        alsoReleased = release;
        return this;
    }

    /** Idempotent. */
    @Override
    public synchronized void close() {
        if (!channel.isOpen()) {
            return;
        }
        alsoReleased.run();
        try {
            channel.close();
        } catch (IOException gone) {
            // The lock is gone too.
        } finally {
            HELD.remove(file); // last: see there
        }
    }
}
