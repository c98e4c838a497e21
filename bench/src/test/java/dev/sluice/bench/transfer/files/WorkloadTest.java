package dev.sluice.bench.transfer.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.bench.harness.BenchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workloads: their files, and the comparison of copies. */
final class WorkloadTest {
    private static final Workload MANY = Workload.many(1500);

    @TempDir
    Path directory;

    private Path root;
    private Path copy;

    @BeforeEach
    void copyBoth() throws Exception {
        root = Files.createDirectory(directory.resolve("root"));
        copy = Files.createDirectory(directory.resolve("copy"));
        MANY.create(root);
        Process cp =
                new ProcessBuilder(List.of("cp", "-r", root.resolve(MANY.name()).toString(), copy.toString())).start();
        assertThat(cp.waitFor()).isZero();
    }

    @Test
    void createsFilesOfTheSizeSaid() throws IOException {
        try (var all = Files.walk(root)) {
            List<Path> files = all.filter(Files::isRegularFile).toList();
            assertThat(files).hasSize(1500).allSatisfy(file -> assertThat(file).hasSize(4096));
        }
        Workload one = Workload.file(10);
        one.create(root);
        assertThat(root.resolve(one.name())).hasSize(10_000_000);
        assertThat(one.bytes()).isEqualTo(10_000_000);
    }

    @Test
    void acceptsAnEqualCopy() {
        MANY.verify(root, copy);
        assertThat(copy.resolve(MANY.name()).resolve("directory1/file1499")).exists();
    }

    @Test
    void rejectsACopyWithOneByteChanged() throws IOException {
        Path file = copy.resolve(MANY.name()).resolve("directory1/file1234");
        byte[] bytes = Files.readAllBytes(file);
        bytes[4095] ^= 1;
        Files.write(file, bytes, StandardOpenOption.TRUNCATE_EXISTING);
        assertThatThrownBy(() -> MANY.verify(root, copy))
                .isInstanceOf(BenchException.class)
                .hasMessageContaining("file1234");
    }

    @Test
    void rejectsACopyThatLacksAFile() throws IOException {
        Files.delete(copy.resolve(MANY.name()).resolve("directory0/file7"));
        assertThatThrownBy(() -> MANY.verify(root, copy))
                .isInstanceOf(BenchException.class)
                .hasMessageContaining("file7");
    }
}
