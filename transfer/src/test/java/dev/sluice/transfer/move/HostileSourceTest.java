package dev.sluice.transfer.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.ffi.libc.IoVec;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.memory.Ledger;
import dev.sluice.testkit.NativeBalance;
import dev.sluice.transfer.protocol.FrameInput;
import dev.sluice.transfer.protocol.FrameOutput;
import dev.sluice.transfer.protocol.FrameType;
import dev.sluice.transfer.protocol.Hello;
import dev.sluice.transfer.protocol.ProtocolLimits;
import dev.sluice.transfer.protocol.Start;
import dev.sluice.transfer.protocol.TransferRole;
import dev.sluice.transfer.protocol.TransferSummary;
import dev.sluice.transfer.tree.Entry;
import dev.sluice.transfer.tree.EntryCodec;
import dev.sluice.transfer.tree.EntryKind;
import dev.sluice.transfer.tree.ExtendedAttribute;
import dev.sluice.transfer.tree.FieldWriter;
import dev.sluice.transfer.tree.TargetPolicy;
import dev.sluice.transfer.tree.TransferException;
import dev.sluice.transfer.tree.TransferFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sources that lie: the target reports a typed failure, and nothing outside of it changes. */
@Timeout(120)
final class HostileSourceTest {
    private static final byte[] CHECKSUM_OF_NOTHING = new byte[ProtocolLimits.CHECKSUM_BYTES];

    @RegisterExtension
    final NativeBalance<Map<String, Ledger.Balance>> balance =
            NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    @TempDir
    Path directory;

    private Path target;
    private int version = 2;
    private final List<TransferEvent> events = new ArrayList<>();
    private ReceiverOptions options = ReceiverOptions.DEFAULT;

    /** A source after the hello and the start. */
    private static final class Liar {
        private final PipeWire wire;
        private final FrameInput in;
        private final FrameOutput out;
        private final Start start;

        private Liar(PipeWire wire, int version) throws IOException {
            this.wire = wire;
            this.in = new FrameInput(wire);
            this.out = new FrameOutput(wire);
            out.hello(new Hello(1, version, TransferRole.SOURCE, 0, Trees.ID));
            out.flush();
            Hello _ = in.hello(TransferRole.SOURCE);
            start = in.start();
        }

        void await(FrameType wanted) throws IOException {
            while (in.next() != wanted) {
                // Requests of other types come first.
            }
        }

        /** Answers the first LIST with all entries, and the three behind it with nothing. */
        void manifest(Entry... entries) throws IOException {
            FieldWriter page = new FieldWriter(60_000);
            for (Entry entry : entries) {
                EntryCodec.write(entry, page);
            }
            await(FrameType.LIST);
            out.entries(page, true);
            for (int i = 0; i < 3; i++) {
                out.entries(new FieldWriter(0), true);
            }
            out.flush();
        }

        void page(FieldWriter page) throws IOException {
            await(FrameType.LIST);
            out.entries(page, true);
            out.flush();
        }

        void data(byte[] contents, TransferFailure status, byte[] hash) throws IOException {
            out.data(contents.length, true);
            contents(contents, status, hash);
        }

        void compressed(byte[] frame, byte[] hash) throws IOException {
            out.compressedData(frame.length, true);
            contents(frame, TransferFailure.NONE, hash);
        }

        private void contents(byte[] contents, TransferFailure status, byte[] hash) throws IOException {
            for (int done = 0; done < contents.length; ) {
                int room = wire.gather(contents.length - done);
                for (int i = 0; i < wire.areaCount(); i++) {
                    int now = (int) IoVec.length(wire.areas(), i);
                    RawMemory.copy(contents, done, IoVec.base(wire.areas(), i), now);
                    done += now;
                }
                wire.filled(room);
            }
            out.trailer(status, hash);
            out.flush();
        }

        void finish() throws IOException {
            await(FrameType.DONE);
            out.done(new TransferSummary(0, 0, 0));
            wire.finish();
        }
    }

    /** The conduct of a source. */
    private interface Script {
        void run(Liar liar) throws Exception;
    }

    @BeforeEach
    void makeTarget() throws IOException {
        target = Files.createDirectory(directory.resolve("target"));
        Files.writeString(directory.resolve("beside"), "untouched");
    }

    @ParameterizedTest
    @ValueSource(strings = {"..", ".", "../beside", "a/b", "/etc/passwd", "a\0b", ""})
    void rejectsNamesThatLeadOutOfTheTarget(String name) {
        assertThat(fails(liar -> liar.manifest(file(name, 10)))).isEqualTo(TransferFailure.UNSAFE_NAME);
        assertThat(Trees.shell(directory, "cat beside; find target -mindepth 1"))
                .isEqualTo("untouched");
    }

    @Test
    void rejectsTheNameOfATemporaryFile() {
        String name = ".sluice-" + "0".repeat(32) + ".part";
        assertThat(fails(liar -> liar.manifest(file(name, 10)))).isEqualTo(TransferFailure.UNSAFE_NAME);
    }

    @Test
    void writesNothingThroughALinkThatTheSourceCreated() {
        options = options.withPolicy(new TargetPolicy(
                TargetPolicy.Existing.REPLACE, TargetPolicy.Symlinks.ALL, TargetPolicy.Durability.PAGE_CACHE));
        succeeds(liar -> {
            liar.manifest(
                    Entry.symlink(bytes("out"), 0, 0, bytes("..")),
                    Entry.directory(bytes("out"), 0755, 0, 0),
                    file("beside", 0),
                    Entry.END,
                    Entry.symlink(bytes("beside"), 0, 0, bytes("../beside")),
                    file("beside", 0));
            liar.finish();
        });
        assertThat(failures()).containsExactly(TransferFailure.OCCUPIED);
        assertThat(Trees.shell(directory, "cat beside; stat -c '%F' target/beside"))
                .isEqualTo("untouchedregular empty file\n");
    }

    @Test
    void rejectsManifestsWithoutBalance() {
        assertThat(fails(liar -> liar.manifest(Entry.END))).isEqualTo(TransferFailure.PROTOCOL_VIOLATION);
        assertThat(fails(liar -> liar.manifest(Entry.directory(bytes("d"), 0755, 0, 0))))
                .isEqualTo(TransferFailure.PROTOCOL_VIOLATION);
    }

    @Test
    void limitsTheLevelsOfDirectories() {
        Entry[] levels = new Entry[300];
        for (int i = 0; i < levels.length; i++) {
            levels[i] = Entry.directory(bytes("d"), 0755, 0, 0);
        }
        assertThat(fails(liar -> liar.manifest(levels))).isEqualTo(TransferFailure.PROTOCOL_VIOLATION);
    }

    @Test
    void rejectsEntriesThatBreakTheFormat() {
        assertThat(fails(liar -> liar.page(new FieldWriter(10).putByte(77))))
                .isEqualTo(TransferFailure.PROTOCOL_VIOLATION);
        assertThat(fails(liar -> liar.page(
                        new FieldWriter(10).putByte(EntryKind.FILE.code()).putByte(200))))
                .isEqualTo(TransferFailure.PROTOCOL_VIOLATION);
        assertThat(fails(liar -> liar.manifest(file("negative", -1)))).isEqualTo(TransferFailure.PROTOCOL_VIOLATION);
    }

    @Test
    void rejectsContentsOfAnotherLengthAndKeepsNone() {
        assertThat(fails(liar -> {
                    liar.manifest(file("file", 1000));
                    liar.await(FrameType.READ);
                    liar.data(new byte[1001], TransferFailure.NONE, CHECKSUM_OF_NOTHING);
                }))
                .isEqualTo(TransferFailure.PROTOCOL_VIOLATION);
        assertThat(Trees.shell(target, "find . -mindepth 1")).isEmpty();
    }

    @Test
    void keepsNoContentsWithAnotherChecksum() {
        succeeds(liar -> {
            liar.manifest(file("file", 1000));
            liar.await(FrameType.READ);
            liar.data(new byte[1000], TransferFailure.NONE, CHECKSUM_OF_NOTHING);
            liar.finish();
        });
        assertThat(failures()).containsExactly(TransferFailure.CHECKSUM_MISMATCH);
        assertThat(Trees.shell(target, "find . -mindepth 1")).isEmpty();
    }

    @Test
    void acceptsCompressedContentsOfTheLengthAskedFor() {
        options = options.withCompression(ReceiverOptions.Compression.ZSTD);
        byte[] sum = checksum(new byte[1000]);
        succeeds(liar -> {
            liar.manifest(file("file", 1000));
            liar.await(FrameType.READ);
            liar.compressed(zeros(1000, 1000), sum);
            liar.finish();
        });
        assertThat(failures()).isEmpty();
        assertThat(target.resolve("file")).hasBinaryContent(new byte[1000]);
    }

    /** Frames of 13 bytes: a bomb, less than declared, another length declared, no frame, two frames. */
    @Test
    void rejectsCompressedContentsOfAnotherLengthAndKeepsNone() {
        options = options.withCompression(ReceiverOptions.Compression.ZSTD);
        byte[] zeros = zeros(500, 500);
        byte[] two = Arrays.copyOf(zeros, 2 * zeros.length);
        System.arraycopy(zeros, 0, two, zeros.length, zeros.length);
        List<byte[]> frames = List.of(
                zeros(1000, 131_072),
                zeros(131_072, 131_072),
                zeros(1000, 999),
                zeros(999, 999),
                zeros(1001, 1001),
                new byte[13],
                new byte[0],
                two,
                Arrays.copyOf(zeros(1000, 1000), 12),
                Arrays.copyOf(zeros(1000, 1000), 14));
        for (byte[] frame : frames) {
            assertThat(fails(liar -> {
                        liar.manifest(file("file", 1000));
                        liar.await(FrameType.READ);
                        liar.compressed(frame, checksum(new byte[1000]));
                    }))
                    .as(Arrays.toString(frame))
                    .isEqualTo(TransferFailure.PROTOCOL_VIOLATION);
            assertThat(Trees.shell(target, "find . -mindepth 1")).isEmpty();
        }
    }

    @Test
    void rejectsCompressedContentsThatAreNotShorter() {
        options = options.withCompression(ReceiverOptions.Compression.ZSTD);
        for (int size : new int[] {12, 13}) {
            assertThat(fails(liar -> {
                        liar.manifest(file("file", size));
                        liar.await(FrameType.READ);
                        liar.compressed(zeros(size, size), checksum(new byte[size]));
                    }))
                    .isEqualTo(TransferFailure.PROTOCOL_VIOLATION);
        }
        assertThat(fails(liar -> {
                    liar.manifest(file("file", 1000));
                    liar.await(FrameType.READ);
                    liar.data(zeros(1000, 1000), TransferFailure.NONE, checksum(new byte[1000]));
                }))
                .isEqualTo(TransferFailure.PROTOCOL_VIOLATION);
    }

    @Test
    void rejectsCompressedContentsThatItHasNotAskedFor() {
        assertThat(fails(liar -> {
                    liar.manifest(file("file", 1000));
                    liar.await(FrameType.READ);
                    liar.compressed(zeros(1000, 1000), checksum(new byte[1000]));
                }))
                .isEqualTo(TransferFailure.PROTOCOL_VIOLATION);
    }

    @Test
    void keepsNoDecompressedContentsWithAnotherChecksum() {
        options = options.withCompression(ReceiverOptions.Compression.ZSTD);
        succeeds(liar -> {
            liar.manifest(file("file", 1000));
            liar.await(FrameType.READ);
            liar.compressed(zeros(1000, 1000), checksum(zeros(1000, 1000)));
            liar.finish();
        });
        assertThat(failures()).containsExactly(TransferFailure.CHECKSUM_MISMATCH);
        assertThat(Trees.shell(target, "find . -mindepth 1")).isEmpty();
    }

    @Test
    void reportsAnEndInsideCompressedContents() {
        options = options.withCompression(ReceiverOptions.Compression.ZSTD);
        assertThat(fails(liar -> {
                    liar.manifest(file("file", 1000));
                    liar.await(FrameType.READ);
                    liar.out.compressedData(13, true);
                    liar.wire.finish();
                }))
                .isEqualTo(TransferFailure.PEER_VANISHED);
    }

    @Test
    void asksASourceOfVersionOneForNoCompression() {
        options = options.withCompression(ReceiverOptions.Compression.ZSTD);
        version = 1;
        byte[] contents = "contents".repeat(1000).getBytes(StandardCharsets.ISO_8859_1);
        succeeds(liar -> {
            assertThat(liar.start.compression()).isFalse();
            liar.manifest(file("file", contents.length));
            liar.await(FrameType.READ);
            liar.data(contents, TransferFailure.NONE, checksum(contents));
            liar.finish();
        });
        assertThat(target.resolve("file")).hasBinaryContent(contents);
    }

    @Test
    void reportsFilesThatTheSourceCannotRead() {
        succeeds(liar -> {
            liar.manifest(file("changed", 1000), file("denied", 1000));
            liar.await(FrameType.READ);
            liar.data(new byte[1000], TransferFailure.SOURCE_CHANGED, CHECKSUM_OF_NOTHING);
            liar.await(FrameType.READ);
            liar.out.failed(TransferFailure.PERMISSION_DENIED);
            liar.out.flush();
            liar.finish();
        });
        assertThat(failures()).containsExactly(TransferFailure.SOURCE_CHANGED, TransferFailure.PERMISSION_DENIED);
        assertThat(Trees.shell(target, "find . -mindepth 1")).isEmpty();
    }

    @Test
    void reportsAFileLargerThanTheFileSystemPermits() {
        succeeds(liar -> {
            liar.manifest(file("huge", Long.MAX_VALUE));
            liar.finish();
        });
        assertThat(failures()).containsExactly(TransferFailure.FILE_TOO_LARGE);
    }

    @Test
    void keepsTimesWithinWhatTheFileSystemHas() {
        succeeds(liar -> {
            liar.manifest(
                    Entry.file(bytes("last"), 0644, Long.MAX_VALUE, 999_999_999, 0, false),
                    Entry.file(bytes("first"), 0644, Long.MIN_VALUE, 0, 0, false),
                    Entry.directory(bytes("directory"), 0755, Long.MAX_VALUE, 0),
                    Entry.END,
                    Entry.symlink(bytes("link"), Long.MIN_VALUE, 0, bytes("last")));
            liar.finish();
        });
        assertThat(failures()).isEmpty();
        assertThat(Trees.shell(target, "find . -mindepth 1 | LC_ALL=C sort | xargs echo"))
                .isEqualTo("./directory ./first ./last ./link\n");
    }

    @Test
    void rejectsExtentsOutOfOrder() {
        assertThat(fails(liar -> {
                    liar.manifest(Entry.file(bytes("sparse"), 0644, 0, 0, 10_000_000, true));
                    liar.await(FrameType.EXTENTS);
                    liar.out.extents().putLong(500).putLong(400);
                    liar.out.extentList(true);
                    liar.out.flush();
                }))
                .isEqualTo(TransferFailure.PROTOCOL_VIOLATION);
        assertThat(fails(liar -> {
                    liar.manifest(Entry.file(bytes("sparse"), 0644, 0, 0, 10_000_000, true));
                    liar.await(FrameType.EXTENTS);
                    liar.out.extents();
                    liar.out.extentList(false);
                    liar.out.flush();
                }))
                .isEqualTo(TransferFailure.PROTOCOL_VIOLATION);
    }

    @Test
    void rejectsAnswersToOtherRequests() {
        assertThat(fails(liar -> {
                    liar.await(FrameType.LIST);
                    liar.out.failed(TransferFailure.NOT_FOUND);
                    liar.out.flush();
                }))
                .isEqualTo(TransferFailure.PROTOCOL_VIOLATION);
        assertThat(fails(liar -> {
                    liar.manifest(file("file", 1000));
                    liar.await(FrameType.READ);
                    liar.out.failed(TransferFailure.DISK_FULL);
                    liar.out.flush();
                }))
                .isEqualTo(TransferFailure.PROTOCOL_VIOLATION);
    }

    @Test
    void reportsAnEndThatComesTooEarly() {
        assertThat(fails(liar -> {
                    liar.manifest(file("file", 1000));
                    liar.await(FrameType.READ);
                    liar.wire.finish();
                }))
                .isEqualTo(TransferFailure.PEER_VANISHED);
    }

    @Test
    void reportsThePeersErrorWithoutItsControlCharacters() {
        TransferException failure = run(liar -> {
            liar.out.fail(TransferFailure.CANCELLED, "\u001b[31mred");
            liar.out.flush();
        });
        assertThat(failure.failure()).isEqualTo(TransferFailure.CANCELLED);
        assertThat(failure).hasMessageContaining("\\x1b[31mred");
    }

    /** The files listed and not yet received stay within the queue and a few pages, whatever the manifest's size. */
    @Test
    void asksForTheManifestOnlyWhileItsQueueHasRoom() {
        int files = 16_000;
        int[] most = {0};
        byte[] contents = {'x'};
        byte[] sum = checksum(contents);
        succeeds(liar -> {
            int listed = 0;
            int answered = 0;
            FieldWriter page = new FieldWriter(60_000);
            while (true) {
                if (!liar.wire.hasPieces()) {
                    liar.out.flush();
                }
                FrameType type = liar.in.next();
                if (type == FrameType.DONE) {
                    liar.out.done(new TransferSummary(0, 0, 0));
                    liar.wire.finish();
                    break;
                }
                if (type == FrameType.LIST) {
                    page.truncate(0);
                    for (int i = 0; i < 1000 && listed < files; i++) {
                        EntryCodec.write(file("f" + listed, 1), page);
                        listed++;
                    }
                    liar.out.entries(page, listed == files);
                } else if (type == FrameType.READ) {
                    liar.data(contents, TransferFailure.NONE, sum);
                    answered++;
                }
                most[0] = Math.max(most[0], listed - answered);
            }
        });
        assertThat(most[0]).isLessThan(8192 + 4 * 1000 + 1024);
        assertThat(events).hasSize(files);
    }

    /** Entries with attributes are large: they count by their bytes. */
    @Test
    void limitsTheBytesOfListedFiles() {
        options = options.withAttributes(ReceiverOptions.Attributes.EXTENDED);
        int files = 3_000;
        int[] most = {0};
        byte[] contents = {'x'};
        byte[] sum = checksum(contents);
        ExtendedAttribute attribute = new ExtendedAttribute(bytes("user.x"), new byte[30_000]);
        succeeds(liar -> {
            int listed = 0;
            int answered = 0;
            FieldWriter page = new FieldWriter(60_000);
            while (true) {
                if (!liar.wire.hasPieces()) {
                    liar.out.flush();
                }
                FrameType type = liar.in.next();
                if (type == FrameType.DONE) {
                    liar.out.done(new TransferSummary(0, 0, 0));
                    liar.wire.finish();
                    break;
                }
                if (type == FrameType.LIST) {
                    page.truncate(0);
                    if (listed < files) {
                        EntryCodec.write(file("f" + listed, 1).with(List.of(attribute)), page);
                        listed++;
                    }
                    liar.out.entries(page, listed == files);
                } else if (type == FrameType.READ) {
                    liar.data(contents, TransferFailure.NONE, sum);
                    answered++;
                }
                most[0] = Math.max(most[0], listed - answered);
            }
        });
        // A queue of 4 MB, four pages, and the requests in flight.
        assertThat(most[0]).isLessThan((4 << 20) / 30_000 + 4 + 1024 + 1);
        assertThat(events).hasSize(files);
    }

    /** ext4 has no more than a block for the attributes of a file, and calls that a full disk. */
    @Test
    void anAttributeThatDoesNotFitFailsItsFileAlone() {
        options = options.withAttributes(ReceiverOptions.Attributes.EXTENDED);
        ExtendedAttribute attribute = new ExtendedAttribute(bytes("user.x"), new byte[30_000]);
        succeeds(liar -> {
            liar.manifest(file("long", 0).with(List.of(attribute)), file("plain", 0));
            liar.finish();
        });
        assertThat(target.resolve("plain")).exists();
        assertThat(failures()).isSubsetOf(TransferFailure.IO_ERROR);
    }

    @Test
    void rejectsAttributesThatItHasNotAskedFor() {
        ExtendedAttribute attribute = new ExtendedAttribute(bytes("user.x"), new byte[1]);
        assertThat(fails(liar -> liar.manifest(file("f", 1).with(List.of(attribute)))))
                .isEqualTo(TransferFailure.PROTOCOL_VIOLATION);
    }

    @Test
    void rejectsMoreBytesOfAttributesThanAFileHas() {
        options = options.withAttributes(ReceiverOptions.Attributes.EXTENDED);
        ExtendedAttribute attribute = new ExtendedAttribute(bytes("user.x"), new byte[32 * 1024]);
        assertThat(fails(liar -> liar.manifest(file("f", 1).with(List.of(attribute)))))
                .isEqualTo(TransferFailure.PROTOCOL_VIOLATION);
    }

    // ---- the conversation

    private TransferFailure fails(Script script) {
        return run(script).failure();
    }

    private TransferException run(Script script) {
        return catchThrowableOfType(TransferException.class, () -> converse(script));
    }

    private void succeeds(Script script) {
        try {
            TransferSummary _ = converse(script);
        } catch (TransferException e) {
            throw new AssertionError(e);
        }
    }

    private TransferSummary converse(Script script) throws TransferException {
        PipeWire[] ends = PipeWire.pair();
        Thread liar = Thread.ofPlatform().start(() -> lie(script, ends[1]));
        try {
            Receiver receiver = new Receiver(target, options, events::add);
            StreamFactory none = number -> {
                throw new TransferException(TransferFailure.PEER_VANISHED, "one stream only");
            };
            return receiver.pull(ends[0], Trees.ID, none.with(Reconnection.NONE));
        } finally {
            Sender.joinAll(List.of(liar));
        }
    }

    private void lie(Script script, PipeWire wire) {
        try (wire) {
            Liar liar = new Liar(wire, version);
            script.run(liar);
            while (wire.scatter(1000) > 0) {
                wire.taken(1);
            }
        } catch (Exception e) {
            wire.abort();
        }
    }

    private List<TransferFailure> failures() {
        return events.stream()
                .filter(TransferEvent.Failed.class::isInstance)
                .map(event -> ((TransferEvent.Failed) event).failure())
                .toList();
    }

    /** Returns the checksum of contents as the JDK computes it. */
    private static byte[] checksum(byte[] contents) {
        try {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            GCMParameterSpec nonce = new GCMParameterSpec(8 * ProtocolLimits.CHECKSUM_BYTES, new byte[12]);
            cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(Trees.ID, "AES"), nonce);
            cipher.updateAAD(contents);
            return cipher.doFinal();
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns a zstd frame of one block that repeats a zero, and that declares any length (RFC 8878, 3.1.1). */
    private static byte[] zeros(int declared, int actual) {
        int block = 1 | 1 << 1 | actual << 3; // the last one, repeated
        return ByteBuffer.allocate(13)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(0xfd2f_b528)
                .put((byte) 0xa0) // one segment, its length in 4 bytes
                .putInt(declared)
                .putShort((short) block)
                .put((byte) (block >> 16))
                .put((byte) 0)
                .array();
    }

    private static Entry file(String name, long size) {
        return Entry.file(bytes(name), 0644, 1000, 0, size, false);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
