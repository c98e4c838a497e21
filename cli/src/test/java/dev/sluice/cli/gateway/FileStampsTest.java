package dev.sluice.cli.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the detection of file changes, however they are made. */
class FileStampsTest {
    @TempDir
    Path directory = Path.of("");

    @Test
    void detectsAnExchangedLinkInAPath() throws IOException {
        Files.writeString(Files.createDirectories(directory.resolve("..1")).resolve("tls.crt"), "same");
        Files.writeString(Files.createDirectories(directory.resolve("..2")).resolve("tls.crt"), "same");
        Files.createSymbolicLink(directory.resolve("..data"), Path.of("..1"));
        Path file = Files.createSymbolicLink(directory.resolve("tls.crt"), Path.of("..data", "tls.crt"));
        FileStamps before = FileStamps.of(List.of(file));
        assertThat(FileStamps.of(List.of(file))).isEqualTo(before);

        Path link = Files.createSymbolicLink(directory.resolve("..data_tmp"), Path.of("..2"));
        Files.move(link, directory.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);

        assertThat(FileStamps.of(List.of(file)).changedSince(before)).containsExactly(file);
    }

    @Test
    void detectsFilesAddedToAndRemovedFromADirectory() throws IOException {
        longAgo();
        FileStamps empty = FileStamps.of(List.of(directory));
        Path file = Files.writeString(directory.resolve("new.pem"), "");
        assertThat(FileStamps.of(List.of(directory)).changedSince(empty)).containsExactly(directory);

        longAgo();
        FileStamps one = FileStamps.of(List.of(directory));
        Files.delete(file);
        assertThat(FileStamps.of(List.of(directory)).changedSince(one)).containsExactly(directory);
    }

    /** Sets an old time; clocks of file systems advance in steps of some milliseconds. */
    private void longAgo() throws IOException {
        Files.setLastModifiedTime(directory, FileTime.fromMillis(0));
    }

    @Test
    void keepsChangesSinceAnEarlierCheck() throws IOException {
        Path known = Files.writeString(directory.resolve("known"), "1");
        Path other = Files.writeString(directory.resolve("other"), "1");
        FileStamps before = FileStamps.of(List.of(known));
        Files.writeString(known, "22");

        FileStamps both = FileStamps.of(List.of(known, other), before);

        assertThat(FileStamps.of(List.of(known, other)).changedSince(both)).containsExactly(known);
    }
}
