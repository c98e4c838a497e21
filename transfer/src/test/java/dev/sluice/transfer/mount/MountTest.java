package dev.sluice.transfer.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.memory.Ledger;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.FuseMachine;
import dev.sluice.testkit.NativeBalance;
import dev.sluice.testkit.Waiting;
import dev.sluice.transfer.channel.SecureChannel;
import dev.sluice.transfer.export.ExportSettings;
import dev.sluice.transfer.export.Exporting;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests of mounts by the kernel's FUSE. */
@Timeout(120)
final class MountTest {
    @RegisterExtension
    final NativeBalance<?> balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    @TempDir
    Path directory;

    @BeforeAll
    static void requireFuse() {
        FuseMachine.require();
    }

    private static byte[] random(int bytes, long seed) {
        byte[] result = new byte[bytes];
        new Random(seed).nextBytes(result);
        return result;
    }

    // ---- reading

    @Test
    void readsSequentially() throws Exception {
        byte[] contents = random(40_000_001, 1);
        try (Mounting at = Mounting.open(directory)) {
            Files.write(at.served.resolve("large"), contents);
            assertThat(Files.readAllBytes(at.mounted.resolve("large"))).isEqualTo(contents);
            assertThat(at.shell("cmp large '" + at.served + "/large'")).isEmpty();
        }
    }

    @Test
    void raisesTheKernelsReadAhead() throws Exception {
        try (Mounting at = Mounting.open(Files.createDirectories(directory.resolve("with a space")))) {
            at.shell("ls > /dev/null");
            assertThat(at.shell("cat /sys/class/bdi/$(mountpoint -d .)/read_ahead_kb")
                            .strip())
                    .isEqualTo("512");
        }
    }

    @Test
    void readsAtRandom() throws Exception {
        byte[] contents = random(20_000_000, 2);
        Random random = new Random(3);
        try (Mounting at = Mounting.open(directory)) {
            Files.write(at.served.resolve("file"), contents);
            try (RandomAccessFile file =
                    new RandomAccessFile(at.mounted.resolve("file").toFile(), "r")) {
                for (int i = 0; i < 500; i++) {
                    int offset = random.nextInt(contents.length);
                    byte[] piece = new byte[Math.min(1 + random.nextInt(200_000), contents.length - offset)];
                    file.seek(offset);
                    file.readFully(piece);
                    assertThat(piece).isEqualTo(Arrays.copyOfRange(contents, offset, offset + piece.length));
                }
            }
        }
    }

    @Test
    void readsMoreThanTheCacheHolds() throws Exception {
        byte[] contents = random(12 << 20, 4);
        MountSettings settings = MountSettings.DEFAULT.withCache(4 << 20, 2 << 20);
        try (Mounting at = Mounting.open(directory, ExportSettings.READ_ONLY, settings)) {
            for (int i = 0; i < 3; i++) {
                Files.write(at.served.resolve("f" + i), contents);
            }
            assertThat(at.shell("sha256sum f0 & sha256sum f1 & sha256sum f2; wait")
                            .split(System.lineSeparator()))
                    .hasSize(3)
                    .allMatch(line -> line.startsWith(sha256(contents)));
        }
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void seesChangesOfThePeerAfterTheAttributeTime() throws Exception {
        MountSettings settings = MountSettings.DEFAULT.withAttributeTime(Duration.ZERO);
        try (Mounting at = Mounting.open(directory, ExportSettings.READ_WRITE, settings)) {
            for (int i = 1; i < 5; i++) {
                byte[] contents = random(i * 300_000, i);
                Files.write(at.served.resolve("file"), contents);
                assertThat(Files.readAllBytes(at.mounted.resolve("file"))).isEqualTo(contents);
            }
            Files.delete(at.served.resolve("file"));
            assertThat(at.mounted.resolve("file")).doesNotExist();
        }
    }

    @Test
    void keepsFilesApartFromThoseThatWereRemoved() throws Exception {
        MountSettings settings = MountSettings.DEFAULT.withAttributeTime(Duration.ZERO);
        try (Mounting at = Mounting.open(directory, ExportSettings.READ_WRITE, settings)) {
            Path kept = Files.writeString(at.mounted.resolve("kept"), "1");
            Path removed = at.mounted.resolve("removed");
            try (FileChannel open = FileChannel.open(kept, StandardOpenOption.WRITE)) {
                for (int i = 0; i < 20; i++) {
                    Files.delete(Files.writeString(removed, "2"));
                    assertThat(kept).hasSize(1);
                }
                open.write(ByteBuffer.wrap(new byte[] {'3'}), 0);
            }
            assertThat(at.served.resolve("kept")).hasContent("3");
        }
    }

    @Test
    void looksUpAgainWhatThePeerHasRemoved() throws Exception {
        MountSettings settings = MountSettings.DEFAULT.withAttributeTime(Duration.ofHours(1));
        try (Mounting at = Mounting.open(directory, ExportSettings.READ_WRITE, settings)) {
            for (String name : List.of("created", "read", "changed")) {
                Files.writeString(at.served.resolve(name), "1");
                assertThat(at.mounted.resolve(name)).hasContent("1");
                Files.delete(at.served.resolve(name));
            }
            Files.writeString(at.mounted.resolve("created"), "2");
            assertThat(at.served.resolve("created")).hasContent("2");
            assertThatThrownBy(() -> Files.readString(at.mounted.resolve("read")))
                    .isInstanceOf(NoSuchFileException.class);
            assertThatThrownBy(() -> Files.setLastModifiedTime(at.mounted.resolve("changed"), FileTime.fromMillis(1)))
                    .isInstanceOf(NoSuchFileException.class);
        }
    }

    @Test
    void readsTheWholeOfAFileThatGrewAtThePeer() throws Exception {
        MountSettings settings = MountSettings.DEFAULT.withAttributeTime(Duration.ofHours(1));
        try (Mounting at = Mounting.open(directory, ExportSettings.READ_WRITE, settings)) {
            Files.writeString(at.served.resolve("file"), "short");
            assertThat(at.mounted.resolve("file")).hasContent("short");
            Files.writeString(at.served.resolve("file"), "contents that are longer");
            assertThat(at.shell("cat file")).isEqualTo("contents that are longer");
        }
    }

    @Test
    void readsAHoleBehindAnEndThatIsInTheCache() throws Exception {
        MountSettings settings = MountSettings.DEFAULT.withAttributeTime(Duration.ofHours(1));
        byte[] contents = Arrays.copyOf(random(100_000, 10), 1_000_001);
        contents[1_000_000] = 1;
        try (Mounting at = Mounting.open(directory, ExportSettings.READ_WRITE, settings)) {
            FileTime time = FileTime.from(Instant.ofEpochSecond(1_000_000_000));
            Path served = Files.write(at.served.resolve("file"), Arrays.copyOf(contents, 100_000));
            Files.setLastModifiedTime(served, time);
            Path path = at.mounted.resolve("file");
            try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                assertThat(file.read(ByteBuffer.allocate(100_000), 0)).isEqualTo(100_000);
                file.write(ByteBuffer.wrap(new byte[] {1}), 1_000_000);
                Files.setLastModifiedTime(path, time);
                ByteBuffer all = ByteBuffer.allocate(contents.length);
                while (all.hasRemaining() && file.read(all, all.position()) > 0) {
                    // Until the end.
                }
                assertThat(all.position()).isEqualTo(contents.length);
                assertThat(all.array()).isEqualTo(contents);
            }
        }
    }

    @Test
    void listsTenThousandEntries() throws Exception {
        try (Mounting at = Mounting.open(directory)) {
            Path many = Files.createDirectory(at.served.resolve("many"));
            for (int i = 0; i < 10_000; i++) {
                Files.createFile(many.resolve("entry-" + i));
            }
            try (Stream<Path> entries = Files.list(at.mounted.resolve("many"))) {
                assertThat(entries.map(path -> path.getFileName().toString())
                                .distinct()
                                .count())
                        .isEqualTo(10_000);
            }
            assertThat(at.shell("ls -la many | wc -l").strip()).isEqualTo("10003");
        }
    }

    @Test
    void keepsNamesThatAreNotUtf8() throws Exception {
        try (Mounting at = Mounting.open(directory)) {
            at.shell("printf x > \"$(printf 'a\\377\\001b')\"; ls > /dev/null");
            assertThat(at.shell("cd '" + at.served + "' && ls | od -An -tx1").strip())
                    .isEqualTo("61 ff 01 62 0a");
        }
    }

    @Test
    void showsAttributesOfThePeer() throws Exception {
        try (Mounting at = Mounting.open(directory)) {
            Path served = Files.writeString(at.served.resolve("file"), "contents");
            Files.setPosixFilePermissions(served, PosixFilePermissions.fromString("rw-r-----"));
            Files.setLastModifiedTime(served, FileTime.from(Instant.ofEpochSecond(1_000_000_000, 123_456_789)));
            assertThat(at.shell("stat -c '%s %A %y' file")).isEqualTo(at.shell("stat -c '%s %A %y' '" + served + "'"));
            assertThat(at.shell("stat -f -c '%S %b' .")).isEqualTo(at.shell("stat -f -c '%S %b' '" + at.served + "'"));
        }
    }

    // ---- writing

    @Test
    void writesFiles() throws Exception {
        byte[] contents = random(30_000_001, 5);
        try (Mounting at = Mounting.open(directory)) {
            Files.write(at.mounted.resolve("new"), contents);
            assertThat(Files.readAllBytes(at.served.resolve("new"))).isEqualTo(contents);
            assertThat(Files.readAllBytes(at.mounted.resolve("new"))).isEqualTo(contents);
        }
    }

    @Test
    void hasWrittenWhenFsyncReturns() throws Exception {
        byte[] contents = random(5_000_000, 6);
        try (Mounting at = Mounting.open(directory);
                FileChannel file = FileChannel.open(
                        at.mounted.resolve("file"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap(contents));
            file.force(true);
            assertThat(Files.readAllBytes(at.served.resolve("file"))).isEqualTo(contents);
        }
    }

    @Test
    void writesInTheMiddleAndTruncates() throws Exception {
        byte[] contents = random(1_000_000, 7);
        try (Mounting at = Mounting.open(directory)) {
            Files.write(at.mounted.resolve("file"), contents);
            try (RandomAccessFile file =
                    new RandomAccessFile(at.mounted.resolve("file").toFile(), "rw")) {
                byte[] all = new byte[contents.length];
                file.readFully(all);
                file.seek(300_000);
                file.write(new byte[100_000]);
                Arrays.fill(contents, 300_000, 400_000, (byte) 0);
                file.seek(0);
                file.readFully(all);
                assertThat(all).isEqualTo(contents);
                file.setLength(500_000);
            }
            assertThat(Files.readAllBytes(at.served.resolve("file"))).isEqualTo(Arrays.copyOf(contents, 500_000));
            at.shell("printf tail >> file; truncate -s 500008 file");
            assertThat(Files.readAllBytes(at.served.resolve("file")))
                    .endsWith("tail\0\0\0\0".getBytes(StandardCharsets.UTF_8))
                    .hasSize(500_008);
        }
    }

    @Test
    void changesNames() throws Exception {
        try (Mounting at = Mounting.open(directory)) {
            Path a = Files.createDirectories(at.mounted.resolve("a/b/c"));
            Files.writeString(a.resolve("file"), "1");
            Files.move(at.mounted.resolve("a/b"), at.mounted.resolve("moved"));
            assertThat(at.mounted.resolve("moved/c/file")).hasContent("1");
            assertThat(at.served.resolve("moved/c/file")).hasContent("1");
            Files.writeString(at.mounted.resolve("other"), "2");
            Files.move(
                    at.mounted.resolve("other"),
                    at.mounted.resolve("moved/c/file"),
                    StandardCopyOption.REPLACE_EXISTING);
            assertThat(at.served.resolve("moved/c/file")).hasContent("2");
            assertThatThrownBy(() -> Files.delete(at.mounted.resolve("moved"))).isInstanceOf(FileSystemException.class);
            assertThatThrownBy(() -> Files.createDirectory(at.mounted.resolve("moved")))
                    .isInstanceOf(FileAlreadyExistsException.class);
            at.shell("rm -r moved a");
            assertThat(at.served).isEmptyDirectory();
            assertThatThrownBy(() -> Files.readString(at.mounted.resolve("moved")))
                    .isInstanceOf(NoSuchFileException.class);
        }
    }

    @Test
    void keepsTheNameAfterARenameThatFails() throws Exception {
        try (Mounting at = Mounting.open(directory)) {
            Files.createDirectories(at.mounted.resolve("full/inside"));
            Files.createDirectories(at.mounted.resolve("from/inside"));
            assertThatThrownBy(() -> Files.move(
                            at.mounted.resolve("from"),
                            at.mounted.resolve("full"),
                            StandardCopyOption.REPLACE_EXISTING,
                            StandardCopyOption.ATOMIC_MOVE))
                    .isInstanceOf(FileSystemException.class);
            assertThat(at.mounted.resolve("from/inside")).isDirectory();
            assertThat(at.mounted.resolve("full/inside")).isDirectory();
        }
    }

    @Test
    void readsAndWritesAFileWithoutName() throws Exception {
        try (Mounting at = Mounting.open(directory);
                RandomAccessFile file =
                        new RandomAccessFile(at.mounted.resolve("file").toFile(), "rw")) {
            file.write(new byte[1000]);
            Files.delete(at.mounted.resolve("file"));
            file.write(new byte[1000]);
            file.seek(0);
            file.readFully(new byte[2000]);
            assertThat(file.length()).isEqualTo(2000);
            assertThat(at.served).isEmptyDirectory();
        }
    }

    @Test
    void reachesAFileWithoutNameAfterTheCloseOfAnotherDescriptor() throws Exception {
        MountSettings settings = MountSettings.DEFAULT.withAttributeTime(Duration.ZERO);
        try (Mounting at = Mounting.open(directory, ExportSettings.READ_WRITE, settings)) {
            Path path = Files.writeString(at.mounted.resolve("file"), "contents");
            try (RandomAccessFile first = new RandomAccessFile(path.toFile(), "rw")) {
                new RandomAccessFile(path.toFile(), "r").close();
                Files.delete(path);
                at.shell("stat -f . > /dev/null");
                assertThat(first.length()).isEqualTo(8);
                first.setLength(4);
                assertThat(first.length()).isEqualTo(4);
            }
        }
    }

    @Test
    void makesSymbolicLinks() throws Exception {
        try (Mounting at = Mounting.open(directory)) {
            Files.writeString(at.mounted.resolve("file"), "contents");
            Files.createSymbolicLink(at.mounted.resolve("link"), Path.of("file"));
            assertThat(Files.readSymbolicLink(at.served.resolve("link"))).isEqualTo(Path.of("file"));
            assertThat(Files.readString(at.mounted.resolve("link"))).isEqualTo("contents");
        }
    }

    @Test
    void changesPermissionsAndTimes() throws Exception {
        try (Mounting at = Mounting.open(directory)) {
            at.shell("echo x > file; chmod 741 file; touch -d '2001-02-03 04:05:06.789 UTC' file; mkdir -m 700 d");
            assertThat(Files.getPosixFilePermissions(at.served.resolve("file")))
                    .isEqualTo(PosixFilePermissions.fromString("rwxr----x"));
            assertThat(Files.getLastModifiedTime(at.served.resolve("file")).toInstant())
                    .isEqualTo(Instant.parse("2001-02-03T04:05:06.789Z"));
            assertThat(Files.getPosixFilePermissions(at.served.resolve("d")))
                    .isEqualTo(PosixFilePermissions.fromString("rwx------"));
        }
    }

    @Test
    void extractsAnArchive() throws Exception {
        try (Mounting at = Mounting.open(directory)) {
            Path source = Files.createDirectories(directory.resolve("source/deep/er"));
            for (int i = 0; i < 300; i++) {
                Files.write(source.resolve("file" + i), random(i * 97, i));
            }
            Files.createSymbolicLink(source.resolve("link"), Path.of("file1"));
            at.shell("tar -C '" + directory + "' -cf - source | tar -xf - && diff -r --no-dereference '" + directory
                    + "/source' source");
        }
    }

    @Test
    void servesSeveralProgramsAtOnce() throws Exception {
        MountSettings settings = MountSettings.DEFAULT.withCache(4 << 20, 2 << 20);
        try (Mounting at = Mounting.open(directory, ExportSettings.READ_WRITE, settings)) {
            Path source = Files.createDirectories(directory.resolve("source"));
            for (int i = 0; i < 40; i++) {
                Files.write(source.resolve("file" + i), random(1 << i % 22, i));
            }
            at.shell("""
                    work() {
                        for round in 1 2 3; do
                            mkdir $1 && cp '%1$s'/* $1 && diff -r '%1$s' $1 || return 1
                            mv $1 $1.moved && cat $1.moved/* | cmp - '%2$s/all' && rm -r $1.moved || return 1
                        done
                        echo done > $1.done
                    }
                    cat '%1$s'/* > '%2$s/all'
                    for i in 1 2 3 4 5 6; do work $i & done
                    wait
                    test "$(cat *.done | wc -l)" = 6
                    """.formatted(source, directory));
        }
    }

    @Test
    void holdsAGitRepository() throws Exception {
        ForeignProgram.required("git", "git");
        try (Mounting at = Mounting.open(directory)) {
            at.shell("""
                    export GIT_CONFIG_NOSYSTEM=1 HOME=/nonexistent
                    git init -q origin && cd origin
                    for i in $(seq 50); do echo $i > file$i; done
                    git add . && git -c user.name=a -c user.email=a@b commit -qm first
                    cd .. && git clone -q --no-hardlinks origin copy
                    cd copy && git fsck --strict && git status --porcelain
                    """);
            assertThat(at.served.resolve("copy/file50")).hasContent("50");
        }
    }

    @Test
    void servesExtendedAttributesByOption() throws Exception {
        ExportSettings settings = new ExportSettings(
                ExportSettings.Access.READ_WRITE, ExportSettings.Attributes.USER, ExportSettings.DEFAULT_HANDLES);
        try (Mounting at = Mounting.open(directory, settings, MountSettings.DEFAULT)) {
            ForeignProgram.required("python3", "python3");
            Path file = Files.writeString(at.mounted.resolve("file"), "x");
            String set = "import os; os.setxattr('file', 'user.colour', b'blue');"
                    + " print(os.getxattr('file', 'user.colour'), os.listxattr('file'));"
                    + " os.removexattr('file', 'user.colour'); print(os.listxattr('file'))";
            assertThat(file).exists();
            assertThat(at.shell("python3 -c \"" + set + "\"").strip())
                    .isEqualTo("b'blue' ['user.colour']" + System.lineSeparator() + "[]");
        }
    }

    // ---- refusals

    @Test
    void refusesChangesOfAReadOnlyExport() throws Exception {
        try (Mounting at = Mounting.open(directory, ExportSettings.READ_ONLY, MountSettings.DEFAULT)) {
            Files.writeString(at.served.resolve("file"), "contents");
            assertThat(at.mounted.resolve("file")).hasContent("contents");
            assertThatThrownBy(() -> Files.writeString(at.mounted.resolve("file"), "x"))
                    .isInstanceOf(FileSystemException.class)
                    .hasMessageContaining("Read-only file system");
            assertThatThrownBy(() -> Files.createDirectory(at.mounted.resolve("d")))
                    .isInstanceOf(FileSystemException.class)
                    .hasMessageContaining("Read-only file system");
        }
    }

    @Test
    void passesPermissionErrorsOn() throws Exception {
        try (Mounting at = Mounting.open(directory)) {
            Files.writeString(at.served.resolve("file"), "contents");
            assertThatThrownBy(() -> at.shell("chown 12345 file")).hasMessageContaining("Operation not permitted");
            assertThatThrownBy(() -> at.shell("chmod u+s file")).hasMessageContaining("Operation not permitted");
            assertThatThrownBy(() -> at.shell("ln file other")).isInstanceOf(AssertionError.class);
            assertThat(at.served.resolve("other")).doesNotExist();
        }
    }

    @Test
    void refusesANameThatIsTooLong() throws Exception {
        try (Mounting at = Mounting.open(directory)) {
            assertThatThrownBy(() -> Files.createFile(at.mounted.resolve("n".repeat(256))))
                    .hasMessageContaining("File name too long");
            Path file = Files.createFile(at.mounted.resolve("file"));
            assertThatThrownBy(() -> Files.move(file, at.mounted.resolve("n".repeat(256))))
                    .hasMessageContaining("File name too long");
            Path deep = Files.createDirectory(at.mounted.resolve("d"));
            assertThatThrownBy(() -> Files.createFile(deep.resolve("n".repeat(256))))
                    .hasMessageContaining("File name too long");
        }
    }

    @Test
    void reportsThatADirectoryIsGone() throws Exception {
        MountSettings settings = MountSettings.DEFAULT.withAttributeTime(Duration.ofHours(1));
        try (Mounting at = Mounting.open(directory, ExportSettings.READ_WRITE, settings)) {
            Files.createDirectory(at.mounted.resolve("d"));
            Files.delete(at.served.resolve("d"));
            assertThatThrownBy(() -> Files.createDirectory(at.mounted.resolve("d/inside")))
                    .isInstanceOf(NoSuchFileException.class);
            assertThatThrownBy(() -> Files.createSymbolicLink(at.mounted.resolve("d/link"), Path.of("x")))
                    .isInstanceOf(NoSuchFileException.class);
        }
    }

    @Test
    void reportsThatADirectoryOnTheWayWasReplaced() throws Exception {
        MountSettings settings = MountSettings.DEFAULT.withAttributeTime(Duration.ZERO);
        try (Mounting at = Mounting.open(directory, ExportSettings.READ_WRITE, settings)) {
            Files.createDirectories(at.mounted.resolve("d/inside"));
            assertThatThrownBy(() -> at.shell("""
                            cd d/inside
                            mv '%1$s/d' '%1$s/old' && mkdir '%1$s/d'
                            ls '%2$s/d' > /dev/null
                            cat file
                            """.formatted(at.served, at.mounted)))
                    .hasMessageContaining("No such file or directory");
        }
    }

    @Test
    void refusesAPipe() throws Exception {
        try (Mounting at = Mounting.open(directory)) {
            assertThatThrownBy(() -> at.shell("mkfifo pipe")).hasMessageContaining("Operation not permitted");
        }
    }

    @Test
    void reportsAFullDiskAtTheLatestOnClose() throws Exception {
        Path small = Files.createDirectories(directory.resolve("served"));
        run("mount -t tmpfs -o size=1m tmpfs '" + small + "'");
        try (Mounting at = Mounting.open(directory)) {
            assertThatThrownBy(() -> Files.write(at.mounted.resolve("file"), new byte[3 << 20]))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("No space left");
            assertThatThrownBy(() -> at.shell("dd if=/dev/zero of=f bs=1M count=3 conv=fsync"))
                    .hasMessageContaining("No space left");
        } finally {
            run("umount -l '" + small + "'");
        }
    }

    @Test
    void writesAgainAfterAnError() throws Exception {
        Path small = Files.createDirectories(directory.resolve("served"));
        run("mount -t tmpfs -o size=1m tmpfs '" + small + "'");
        try (Mounting at = Mounting.open(directory)) {
            RandomAccessFile file =
                    new RandomAccessFile(at.mounted.resolve("file").toFile(), "rw");
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 100; i++) {
                            file.write(new byte[1 << 20]);
                        }
                    })
                    .hasMessageContaining("No space left");
            assertThat(Waiting.holdsWithin(Waiting.LIMIT, () -> overwrites(file)))
                    .isTrue();
            assertThatThrownBy(file::close).hasMessageContaining("No space left");
        } finally {
            run("umount -l '" + small + "'");
        }
    }

    private static boolean overwrites(RandomAccessFile file) {
        try {
            file.seek(0);
            file.write(1);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static void run(String script) {
        ForeignProgram.required("sh", "dash").command("-euc", script).run().expectSuccess();
    }

    // ---- ends

    @Test
    void failsWithEioWhenThePeerIsKilled() throws Exception {
        try (Mounting at = Mounting.open(directory)) {
            Files.writeString(at.served.resolve("file"), "contents");
            RandomAccessFile file =
                    new RandomAccessFile(at.mounted.resolve("file").toFile(), "rw");
            at.exporting.kill();
            assertThat(at.losses.poll(20, TimeUnit.SECONDS)).isNotNull();
            assertThatThrownBy(() -> file.write(new byte[10])).hasMessageContaining("Input/output error");
            assertThatThrownBy(file::close).hasMessageContaining("Input/output error");
            assertThatThrownBy(() -> Files.size(at.mounted.resolve("other")))
                    .isInstanceOf(FileSystemException.class)
                    .hasMessageContaining("Input/output error");
        }
    }

    @Test
    void failsWithEioWhenThePeerIsSilent() throws Exception {
        MountSettings settings = MountSettings.DEFAULT.withDeadline(Duration.ofSeconds(2));
        try (Mounting at = Mounting.open(directory, SilentPeer.exporting(), settings)) {
            assertThatThrownBy(() -> Files.size(at.mounted.resolve("file")))
                    .isInstanceOf(FileSystemException.class)
                    .hasMessageContaining("Input/output error");
            assertThat(at.losses.poll(20, TimeUnit.SECONDS)).isNotNull();
            assertThat(at.losses).isEmpty();
        }
    }

    @Test
    void staysMountedWhileIdle() throws Exception {
        MountSettings settings = MountSettings.DEFAULT.withDeadline(Duration.ofSeconds(1));
        try (Mounting at = Mounting.open(directory, ExportSettings.READ_WRITE, settings)) {
            Files.writeString(at.served.resolve("file"), "contents");
            assertThat(at.losses.poll(3, TimeUnit.SECONDS)).isNull();
            assertThat(at.mounted.resolve("file")).hasContent("contents");
        }
    }

    @Test
    void unmountsCleanly() throws Exception {
        Mounting at = Mounting.open(directory);
        Files.write(at.mounted.resolve("file"), random(3_000_000, 9));
        assertThat(at.isMounted()).isTrue();
        at.mount.close();
        assertThat(at.isMounted()).isFalse();
        assertThat(at.exporting.end()).isEqualTo("ended");
        assertThat(at.losses).isEmpty();
        assertThat(at.mounted).isEmptyDirectory();
        assertThat(Files.readAllBytes(at.served.resolve("file"))).isEqualTo(random(3_000_000, 9));
        at.close();
    }

    @Test
    void awaitsItsThreadsAlsoWhenInterrupted() throws Exception {
        try (Mounting at = Mounting.open(directory)) {
            Files.write(at.mounted.resolve("file"), random(3_000_000, 11));
            Thread.currentThread().interrupt();
            at.mount.close();
            assertThat(Thread.interrupted()).isTrue();
            assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .doesNotContain("mount-requests", "mount-answers");
            assertThat(Files.readAllBytes(at.served.resolve("file"))).isEqualTo(random(3_000_000, 11));
        }
    }

    @Test
    void refusesADirectoryThatIsMountedAlready() throws Exception {
        try (Mounting at = Mounting.open(directory);
                Exporting other = Exporting.of(at.served, ExportSettings.READ_WRITE)) {
            SecureChannel channel = other.connect(MountSettings.DEFAULT.channel());
            assertThatThrownBy(() -> Mount.open(channel, "other", at.mounted, MountSettings.DEFAULT, loss -> {}))
                    .isInstanceOf(MountException.class)
                    .hasMessageContaining("is mounted already");
            at.mount.close();
            assertThat(at.isMounted()).isFalse();
        }
    }

    @Test
    void endsWhenSomebodyElseUnmounts() throws Exception {
        try (Mounting at = Mounting.open(directory)) {
            run("umount '" + at.mounted + "'");
            at.mount.await();
            assertThat(at.losses).isEmpty();
        }
    }

    @Test
    void detachesABusyMount() throws Exception {
        try (Mounting at = Mounting.open(directory)) {
            Files.writeString(at.mounted.resolve("file"), "contents");
            RandomAccessFile file =
                    new RandomAccessFile(at.mounted.resolve("file").toFile(), "r");
            at.mount.close();
            assertThat(at.isMounted()).isFalse();
            assertThatThrownBy(() -> file.readFully(new byte[4])).isInstanceOf(IOException.class);
            assertThatThrownBy(file::close).hasMessageContaining("not connected");
        }
    }
}
