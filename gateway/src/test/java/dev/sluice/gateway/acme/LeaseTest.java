package dev.sluice.gateway.acme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeaseTest {
    private static final String NAME = "orders.lock";

    @TempDir
    Path directory = Path.of("");

    @Test
    void isOfOneAtATime() throws Exception {
        try (Lease first = Lease.attempt(directory, NAME)) {
            assertThat(first).isNotNull();
            assertThat(Lease.attempt(directory, NAME)).isNull();
        }
        try (Lease next = Lease.attempt(directory, NAME)) {
            assertThat(next).isNotNull();
        }
    }

    @Test
    void isOfOneAtATimeUnderEachNameOfTheDirectory() throws Exception {
        Path real = Files.createDirectory(directory.resolve("real"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), real);

        try (Lease first = Lease.attempt(real, NAME)) {
            assertThat(first).isNotNull();
            assertThat(Lease.attempt(link, NAME)).isNull();
        }
    }

    /** The kernel ends a process's locks of a file as soon as the process closes the file once. */
    @Test
    void keepsTheKernelsLockWhenAnotherThreadAsks() throws Exception {
        try (Lease lease = Lease.attempt(directory, NAME)) {
            assertThat(lease).isNotNull();
            assertThat(Lease.attempt(directory, NAME)).isNull();

            assertThat(locked()).hasSize(1);
        }
        assertThat(locked()).isEmpty();
    }

    @Test
    void givesWayToALockOfOthers() throws Exception {
        try (FileChannel other =
                        FileChannel.open(directory.resolve(NAME), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = other.lock()) {
            assertThat(lock.isValid()).isTrue();
            assertThat(Lease.attempt(directory, NAME)).isNull();
        }
        try (Lease free = Lease.attempt(directory, NAME)) {
            assertThat(free).isNotNull();
        }
    }

    @Test
    void saysWhatIsLockedWhenTheWaitIsOver() throws Exception {
        try (Lease first = Lease.attempt(directory, NAME)) {
            assertThat(first).isNotNull();
            assertThatThrownBy(() -> Lease.await(directory, NAME, Duration.ZERO))
                    .isInstanceOf(AcmeFailure.class)
                    .hasMessageStartingWith(directory.resolve(NAME) + " is locked by another order")
                    .hasMessageContaining("; end the one that hangs");
        }
    }

    @Test
    void waitsNoLongerWhenInterrupted() throws Exception {
        try (Lease first = Lease.attempt(directory, NAME)) {
            assertThat(first).isNotNull();
            Thread.currentThread().interrupt();

            assertThatThrownBy(() -> Lease.await(directory, NAME, Duration.ofDays(1)))
                    .isInstanceOf(InterruptedException.class);
        }
    }

    /** A lease that was given back is another's, whoever closes it again. */
    @Test
    void isGivenBackOnce() throws Exception {
        Lease first = Objects.requireNonNull(Lease.attempt(directory, NAME));
        first.close();
        try (Lease next = Lease.attempt(directory, NAME)) {
            first.close();

            assertThat(next).isNotNull();
            assertThat(Lease.attempt(directory, NAME)).isNull();
        }
    }

    @Test
    void cannotBeTakenByOtherUsers() throws Exception {
        try (Lease lease = Lease.attempt(directory, NAME)) {
            assertThat(lease).isNotNull();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve(NAME))))
                    .isEqualTo("rw-------");
        }
    }

    /** Returns the kernel's lines of locks of the file. */
    private List<String> locked() throws IOException {
        String inode = ":" + Files.getAttribute(directory.resolve(NAME), "unix:ino") + " ";
        return Files.readAllLines(Path.of("/proc/locks")).stream()
                .filter(line -> line.contains("POSIX") && line.contains(inode))
                .toList();
    }
}
