package dev.sluice.transfer.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.ffi.libc.Errno;
import dev.sluice.memory.Ledger;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.NativeBalance;
import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.ChannelSettings;
import dev.sluice.transfer.channel.SecureChannel;
import dev.sluice.transfer.files.FileAttributes;
import dev.sluice.transfer.files.FileOperation;
import dev.sluice.transfer.files.FileProtocol;
import dev.sluice.transfer.files.FrameReader;
import dev.sluice.transfer.files.FrameWriter;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of an export against a client that keeps to no rule. */
@Timeout(60)
final class ExportSessionTest {
    private static final int HANDLES = 8;
    private static final ExportSettings SETTINGS =
            new ExportSettings(ExportSettings.Access.READ_WRITE, ExportSettings.Attributes.USER, HANDLES);

    @RegisterExtension
    final NativeBalance<?> balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    @TempDir
    Path directory;

    private Path served;
    private Path outside;
    private Exporting exporting;
    private SecureChannel channel;
    private FrameWriter out;
    private FrameReader in;

    @BeforeEach
    void connect() throws Exception {
        served = Files.createDirectory(directory.resolve("served"));
        outside = Files.createDirectory(directory.resolve("outside"));
        Files.writeString(outside.resolve("secret"), "secret");
        Files.createSymbolicLink(served.resolve("up"), Path.of("../outside"));
        Files.createSymbolicLink(served.resolve("stolen"), Path.of("../outside/secret"));
        Files.createDirectory(served.resolve("d"));
        exporting = Exporting.of(served, SETTINGS);
        channel = exporting.connect(
                FileProtocol.settings(ChannelSettings.DEFAULT).withSilenceLimit(Duration.ofSeconds(20)));
        out = new FrameWriter(channel);
        in = new FrameReader(channel.incoming());
    }

    @AfterEach
    void disconnect() throws Exception {
        channel.close();
        exporting.close();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Sends the request that was begun, and returns the errno of its answer. */
    private int errno() throws ChannelException {
        out.end();
        out.flush();
        assertThat(in.next()).isTrue();
        return in.getInt();
    }

    private int errnoOf(FileOperation operation, String path) throws ChannelException {
        out.begin(operation);
        switch (operation) {
            case STAT -> out.putInt(FileProtocol.NO_HANDLE);
            case OPEN -> {
                out.putInt(FileProtocol.OPEN_READ | FileProtocol.OPEN_WRITE | FileProtocol.OPEN_CREATE);
                out.putInt(0644);
            }
            case MAKE_DIRECTORY -> out.putInt(0755);
            default -> {
                // The path alone.
            }
        }
        out.putBytes(bytes(path));
        int errno = errno();
        in.skip();
        return errno;
    }

    private int change(int bits, int mode, String path) throws ChannelException {
        out.begin(FileOperation.CHANGE);
        out.putInt(bits);
        out.putInt(mode);
        for (int i = 0; i < 2; i++) {
            out.putLong(0);
        }
        out.putInt(0);
        out.putLong(0);
        out.putInt(0);
        out.putInt(FileProtocol.NO_HANDLE);
        out.putBytes(bytes(path));
        int errno = errno();
        in.skip();
        return errno;
    }

    @ParameterizedTest
    @ValueSource(strings = {"up/secret", "up/new", "stolen/x"})
    void followsNoLinkOnTheWay(String path) throws Exception {
        for (FileOperation operation : new FileOperation[] {
            FileOperation.STAT,
            FileOperation.OPEN,
            FileOperation.MAKE_DIRECTORY,
            FileOperation.REMOVE_FILE,
            FileOperation.REMOVE_DIRECTORY,
            FileOperation.OPEN_DIRECTORY,
            FileOperation.READ_LINK
        }) {
            assertThat(errnoOf(operation, path)).as(operation.name()).isIn(Errno.ELOOP, Errno.ENOTDIR);
        }
        assertThat(change(FileProtocol.CHANGE_MODE, 0777, path)).isIn(Errno.ELOOP, Errno.ENOTDIR);
        assertThat(outside).isDirectoryContaining(file -> file.endsWith("secret"));
    }

    @Test
    void opensAndChangesNoTargetOfALink() throws Exception {
        assertThat(errnoOf(FileOperation.OPEN, "stolen")).isEqualTo(Errno.ELOOP);
        assertThat(errnoOf(FileOperation.OPEN_DIRECTORY, "up")).isIn(Errno.ELOOP, Errno.ENOTDIR);
        assertThat(change(FileProtocol.CHANGE_MODE, 0777, "stolen")).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(change(FileProtocol.CHANGE_SIZE, 0, "stolen")).isEqualTo(Errno.ELOOP);
        assertThat(change(FileProtocol.CHANGE_MTIME, 0, "stolen")).isZero();
        assertThat(outside.resolve("secret")).hasContent("secret");
        assertThat(Files.getLastModifiedTime(outside.resolve("secret")).toMillis())
                .isPositive();
    }

    @Test
    void renamesNothingToTheOutside() throws Exception {
        Files.writeString(served.resolve("file"), "mine");
        out.begin(FileOperation.RENAME);
        out.putInt(0);
        out.putBytes(bytes("file"));
        out.putBytes(bytes("up/file"));
        assertThat(errno()).isIn(Errno.ELOOP, Errno.ENOTDIR);
        assertThat(outside.resolve("file")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"..", "../outside/secret", "/etc/passwd", "d/../../outside", "a//b", "d/", ".", "a\0b"})
    void endsAtAPathThatIsNone(String path) throws Exception {
        assertThatThrownBy(() -> errnoOf(FileOperation.STAT, path)).isInstanceOf(Exception.class);
        assertThat(exporting.end()).contains("path");
    }

    @Test
    void neverOpensPipesAndDevices() throws Exception {
        ForeignProgram.required("mkfifo", "coreutils")
                .command(served.resolve("pipe").toString())
                .run()
                .expectSuccess();
        assertThat(errnoOf(FileOperation.OPEN, "pipe")).isEqualTo(Errno.EACCES);
        assertThat(errnoOf(FileOperation.LIST_ATTRIBUTES, "pipe")).isEqualTo(Errno.EACCES);
    }

    @Test
    void setsNoSetUserIdBit() throws Exception {
        Files.writeString(served.resolve("file"), "x");
        assertThat(change(FileProtocol.CHANGE_MODE, 04755, "file")).isEqualTo(Errno.EPERM);
        assertThat(change(FileProtocol.CHANGE_MODE, 02755, "file")).isEqualTo(Errno.EPERM);
        assertThat(change(FileProtocol.CHANGE_MODE, 0755, "file")).isZero();
    }

    @Test
    void limitsOpenFiles() throws Exception {
        for (int i = 0; i < HANDLES; i++) {
            assertThat(errnoOf(FileOperation.OPEN, "f" + i)).isZero();
        }
        assertThat(errnoOf(FileOperation.OPEN, "one-more")).isEqualTo(Errno.ENFILE);
        assertThat(errnoOf(FileOperation.OPEN_DIRECTORY, "d")).isEqualTo(Errno.ENFILE);
        assertThat(served.resolve("one-more")).doesNotExist();
        out.begin(FileOperation.CLOSE);
        out.putInt(0);
        assertThat(errno()).isZero();
        assertThat(errnoOf(FileOperation.OPEN, "one-more")).isZero();
    }

    @Test
    void rejectsHandlesThatAreNone() throws Exception {
        for (int handle : new int[] {-1, 0, HANDLES, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            out.begin(FileOperation.READ);
            out.putInt(handle);
            out.putLong(0);
            out.putInt(100);
            assertThat(errno()).isEqualTo(Errno.EBADF);
            out.begin(FileOperation.WRITE);
            out.putInt(handle);
            out.putLong(0);
            out.putLong(0);
            assertThat(errno()).isEqualTo(Errno.EBADF);
            out.begin(FileOperation.CLOSE);
            out.putInt(handle);
            assertThat(errno()).isEqualTo(Errno.EBADF);
        }
    }

    @Test
    void hidesWhatIsAboveTheDirectory() throws Exception {
        assertThat(errnoOf(FileOperation.OPEN_DIRECTORY, "")).isZero();
        out.begin(FileOperation.LIST);
        out.putInt(0);
        out.putLong(0);
        assertThat(errno()).isZero();
        long own = (Long) Files.getAttribute(served, "unix:ino");
        FileAttributes attributes = new FileAttributes();
        int above = 0;
        while (in.left() > 0) {
            in.getLong();
            attributes.read(in);
            if (new String(in.getBytes(), StandardCharsets.UTF_8).equals("..")) {
                above++;
                assertThat(attributes.inode()).isEqualTo(own);
            }
        }
        assertThat(above).isEqualTo(1);
    }

    @Test
    void rejectsAWriteAboveTheLimit() throws Exception {
        assertThat(errnoOf(FileOperation.OPEN, "file")).isZero();
        byte[] data = new byte[FileProtocol.MAX_DATA_BYTES + 1];
        out.begin(FileOperation.WRITE);
        out.putInt(0);
        out.putLong(0);
        out.putData(MemorySegment.ofArray(data), 0, data.length);
        assertThatThrownBy(this::errno).isInstanceOf(Exception.class);
        assertThat(exporting.end()).contains("write of 1048577 bytes");
        assertThat(served.resolve("file")).isEmptyFile();
    }

    /** Whatever arrives, the session ends or answers, and everything is given back. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
    void survivesRandomRequests(long seed) throws Exception {
        Random random = new Random(seed);
        byte[] noise = new byte[random.nextInt(400)];
        try {
            for (int i = 0; i < 200; i++) {
                random.nextBytes(noise);
                FileOperation[] all = FileOperation.values();
                out.begin(all[random.nextInt(all.length)]);
                out.putInt(random.nextInt(4));
                out.putInt(random.nextInt(4));
                out.putBytes(noise.length == 0 ? noise : new byte[] {'d'});
                out.putData(MemorySegment.ofArray(noise), 0, random.nextInt(noise.length + 1));
                out.end();
                out.flush();
            }
            channel.finish();
        } catch (ChannelException e) {
            assertThat(exporting.end()).isNotEmpty();
        }
        channel.close();
        assertThat(exporting.end()).isNotEmpty();
        assertThat(outside.resolve("secret")).hasContent("secret");
    }
}
