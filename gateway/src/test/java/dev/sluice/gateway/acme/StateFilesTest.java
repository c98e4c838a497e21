package dev.sluice.gateway.acme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.config.acme.AcmeStorage;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A directory that several certificates and gateways share. */
class StateFilesTest {
    private static final int ROUNDS = 50;
    private static final int THREADS = 8;

    @TempDir
    Path directory = Path.of("");

    @Test
    void makesTheDirectoryThoughOthersDoTheSame() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Path state = directory.resolve("parent-" + round).resolve("acme");

            List<Boolean> prepared = Together.run(THREADS, () -> {
                files(state).prepare();
                return Files.isDirectory(state);
            });

            assertThat(prepared).hasSize(THREADS).containsOnly(true);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(state)))
                    .isEqualTo("rwx------");
        }
    }

    @Test
    void reportsAFileInPlaceOfTheDirectory() throws Exception {
        Path file = Files.createFile(directory.resolve("acme"));

        assertThatThrownBy(() -> files(file).prepare()).isInstanceOf(FileAlreadyExistsException.class);
    }

    @Test
    void refusesADirectoryThatOthersCanWrite() throws Exception {
        Path state = Files.createDirectory(directory.resolve("acme"));
        Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwxrwx---"));

        assertThatThrownBy(() -> files(state).prepare())
                .isInstanceOf(AcmeFailure.class)
                .hasMessageEndingWith("chmod 700 it");
    }

    /** A file that a killed process had not put in place is deleted, one that another is writing is not. */
    @Test
    void deletesWhatWasNeverPutInPlace() throws Exception {
        Path state = Files.createDirectory(
                directory.resolve("acme"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path old = Files.createFile(state.resolve("shop.ecdsa.pem." + UUID.randomUUID()));
        Path underWay = Files.createFile(state.resolve("shop.ecdsa.pem." + UUID.randomUUID()));
        Path kept = Files.createFile(state.resolve("shop.ecdsa.pem"));
        FileTime longAgo = FileTime.from(Instant.now().minus(Duration.ofHours(1)));
        Files.setLastModifiedTime(old, longAgo);
        Files.setLastModifiedTime(kept, longAgo);

        files(state).prepare();

        assertThat(old).doesNotExist();
        assertThat(underWay).exists();
        assertThat(kept).exists();
    }

    @Test
    void readsTextsAsTheyWereWritten() throws Exception {
        Path file = directory.resolve("text");

        StateFiles.write(file, "error: Zürich, 東京, 🔑\n");

        PemText text = Objects.requireNonNull(StateFiles.read(file));
        assertThat(text.line("error")).isEqualTo("Zürich, 東京, 🔑");
    }

    @Test
    void readsAFileThatIsNoUtf8() throws Exception {
        Path file = Files.write(directory.resolve("text"), new byte[] {'a', ':', ' ', (byte) 0xFC, 'b', '\n'});

        PemText text = Objects.requireNonNull(StateFiles.read(file));
        assertThat(text.line("a")).isEqualTo("\uFFFDb");
    }

    @Test
    void writesAFileThoughOthersDoTheSame() throws Exception {
        Path file = directory.resolve("text");
        String text = "x".repeat(10_000) + "\n";
        for (int round = 0; round < ROUNDS; round++) {
            Together.run(THREADS, () -> {
                StateFiles.write(file, text);
                return true;
            });
        }

        assertThat(directory).isDirectoryContaining(each -> each.equals(file));
        assertThat(Files.readString(file)).isEqualTo(text);
        try (var files = Files.list(directory)) {
            assertThat(files).containsExactly(file);
        }
    }

    private static StateFiles files(Path state) {
        return new StateFiles(new AcmeStorage(state, state.resolve("seal.key")));
    }
}
