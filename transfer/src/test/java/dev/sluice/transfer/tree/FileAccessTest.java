package dev.sluice.transfer.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.FileConstants;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Paths below a directory, by openat2 and step by step. */
final class FileAccessTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void followsNoLinkInAnyComponent(boolean stepwise) throws IOException {
        Files.createDirectories(directory.resolve("root/a/b"));
        Files.writeString(directory.resolve("root/a/b/file"), "x");
        Files.writeString(directory.resolve("secret"), "x");
        Files.createSymbolicLink(directory.resolve("root/up"), directory);
        Files.createSymbolicLink(directory.resolve("root/a/link"), Path.of("b"));
        Files.createSymbolicLink(directory.resolve("root/a/b/alias"), Path.of("file"));
        try (FileAccess files = new FileAccess()) {
            if (stepwise) {
                files.openStepwise();
            }
            int root = files.openTrusted(directory.resolve("root"), FileConstants.O_DIRECTORY);
            assertThat(open(files, root, "a/b/file")).isZero();
            assertThat(open(files, root, "a/b")).isZero();
            assertThat(open(files, root, "")).isZero();
            assertThat(open(files, root, "up/secret")).isIn(-Errno.ELOOP, -Errno.ENOTDIR);
            assertThat(open(files, root, "a/link/file")).isIn(-Errno.ELOOP, -Errno.ENOTDIR);
            assertThat(open(files, root, "a/b/alias")).isEqualTo(-Errno.ELOOP);
            assertThat(open(files, root, "a/gone/file")).isEqualTo(-Errno.ENOENT);
            FileAccess.close(root);
        }
    }

    private static int open(FileAccess files, int root, String path) {
        int fd = files.openBeneath(root, path.getBytes(StandardCharsets.UTF_8), FileConstants.O_RDONLY);
        FileAccess.close(fd);
        return Math.min(fd, 0);
    }
}
