package dev.sluice.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Ports in blocks, of which a process claims one after the other by locks of files, which end with the process. All are
 * below those that Linux gives by default to sockets that ask for any. Thread-safe.
 */
final class PortBlocks {
    static final int FIRST_PORT = 10_240;
    static final int END_PORT = 32_768;
    static final int BLOCK_PORTS = 512;
    private static final int BLOCKS = (END_PORT - FIRST_PORT) / BLOCK_PORTS;

    private final Path directory;
    /** The first block that is tried: processes that follow each other get others. */
    private final int first;

    private final List<FileLock> claimed = new ArrayList<>();
    private int next;
    private int end;

    PortBlocks(Path directory, int first) {
        this.directory = directory;
        this.first = first;
    }

    /** Returns the ports that all processes of this user share out. */
    static PortBlocks ofThisUser() {
        Path directory =
                Path.of(System.getProperty("java.io.tmpdir"), "sluice-ports-" + System.getProperty("user.name"));
        return new PortBlocks(directory, (int) (ProcessHandle.current().pid() % BLOCKS));
    }

    /**
     * Returns a port that no other holder of blocks returns while this one lives.
     *
     * @throws IllegalStateException when others have claimed all that is left
     */
    synchronized int next() {
        if (next == end) {
            next = FIRST_PORT + claim() * BLOCK_PORTS;
            end = next + BLOCK_PORTS;
        }
        return next++;
    }

    private int claim() {
        try {
            Files.createDirectories(directory);
            for (int i = 0; i < BLOCKS; i++) {
                int block = (first + i) % BLOCKS;
                if (isClaimed(block)) {
                    return block;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("no block of ports can be claimed in " + directory, e);
        }
        throw new IllegalStateException("all " + BLOCKS + " blocks of ports are claimed, " + claimed.size()
                + " of them by this process; wait until other test runs have ended");
    }

    /** Claims a block unless it has been, by whomever. */
    private boolean isClaimed(int block) throws IOException {
        FileChannel file = FileChannel.open(
                directory.resolve(Integer.toString(block)), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock;
        try {
            lock = file.tryLock();
        } catch (OverlappingFileLockException ours) {
            lock = null;
        }
        if (lock == null) {
            file.close();
            return false;
        }
        claimed.add(lock);
        return true;
    }
}
