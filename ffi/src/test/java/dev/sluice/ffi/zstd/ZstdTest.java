package dev.sluice.ffi.zstd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.memory.Ledger;
import dev.sluice.testkit.AllocatedBytes;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.NativeBalance;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames beside those of zstd's own program, and frames that lie. */
final class ZstdTest {
    private static final int ROOM = 300_000;
    private static final byte GUARD = 0x5a;
    private static final int GUARD_BYTES = 4096;
    private static final int MAGIC = 0xfd2f_b528;
    private static final int SKIPPABLE_MAGIC = 0x184d_2a50;
    private static final int LEGACY_MAGIC = 0xfd2f_b527;

    @RegisterExtension
    final NativeBalance<Map<String, Ledger.Balance>> balance =
            NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    @TempDir
    Path directory;

    private final Arena arena = Arena.ofConfined();
    private final long plain = arena.allocate(ROOM).address();
    private final long frame = arena.allocate(ROOM).address();
    private final long result = arena.allocate(ROOM + GUARD_BYTES).address();
    private final ZstdCompressor compressor = new ZstdCompressor(3);
    private final ZstdDecompressor decompressor = new ZstdDecompressor();

    @AfterEach
    void close() {
        compressor.close();
        decompressor.close();
        arena.close();
    }

    @Test
    void restoresContentsOfEveryKindAndSize() {
        for (int size : new int[] {1, 2, 100, 255, 4096, 65_536, 262_144}) {
            for (byte[] contents : new byte[][] {text(size), new byte[size], random(size, size)}) {
                byte[] compressed = compress(contents, ROOM);
                assertThat(decompress(compressed, size)).as("size=" + size).isEqualTo(contents);
            }
        }
        assertThat(compress(text(262_144), ROOM)).hasSizeLessThan(30_000);
    }

    @Test
    void readsAndWritesWhatZstdsProgramDoes() throws IOException {
        ForeignProgram zstd = ForeignProgram.required("zstd", "zstd");
        byte[] contents = text(200_000);
        Path ours = Files.write(directory.resolve("ours.zst"), compress(contents, ROOM));
        Path theirs = Files.write(directory.resolve("theirs"), contents);

        assertThat(zstd.command("-q", "-d", ours.toString()).run().exitCode()).isZero();
        assertThat(zstd.command("-q", "-19", theirs.toString()).run().exitCode())
                .isZero();

        assertThat(directory.resolve("ours")).hasBinaryContent(contents);
        assertThat(decompress(Files.readAllBytes(directory.resolve("theirs.zst")), contents.length))
                .isEqualTo(contents);
    }

    @Test
    void reportsAFrameThatDoesNotFitAndContinues() {
        byte[] random = random(10_000, 1);
        assertThat(compress(random, 9_000)).isEmpty();
        assertThat(compress(text(10_000), 10)).isEmpty();
        assertThat(decompress(compress(random, ROOM), random.length)).isEqualTo(random);
    }

    @Test
    void rejectsContentsOfAnotherLength() {
        byte[] compressed = compress(text(1000), ROOM);
        assertThat(decompress(compressed, 999)).isNull();
        assertThat(decompress(compressed, 1001)).isNull();
        assertThat(decompress(compressed, 0)).isNull();
        assertThat(decompress(compressed, 1000)).isEqualTo(text(1000));
    }

    /** Frames of 13 bytes that stand for any number of zeros. */
    @Test
    void rejectsFramesWhoseDeclaredLengthLies() {
        assertThat(decompress(repeated(100_000, 100_000), 100_000)).isEqualTo(new byte[100_000]);
        assertThat(decompress(repeated(1000, 100_000), 1000)).isNull();
        assertThat(decompress(repeated(100_000, 1000), 100_000)).isNull();
        assertThat(decompress(repeated(-1, 100_000), 100_000)).isNull();
    }

    @Test
    void rejectsEverythingButOneWholeFrame() {
        byte[] whole = compress(text(5000), ROOM);
        for (int length = 0; length < whole.length; length++) {
            assertThat(decompress(Arrays.copyOf(whole, length), 5000))
                    .as("length=" + length)
                    .isNull();
        }
        assertThat(decompress(Arrays.copyOf(whole, whole.length + 1), 5000)).isNull();
        byte[] half = compress(text(2500), ROOM);
        assertThat(decompress(concat(half, half), 5000)).isNull();
        assertThat(decompress(concat(whole, skippable()), 5000)).isNull();
        assertThat(decompress(concat(skippable(), whole), 5000)).isNull();
        assertThat(decompress(skippable(), 0)).isNull();
    }

    @Test
    void rejectsTheFormatsBeforeVersionOne() {
        byte[] legacy = compress(text(5000), ROOM);
        ByteBuffer.wrap(legacy).order(ByteOrder.LITTLE_ENDIAN).putInt(LEGACY_MAGIC);
        assertThat(decompress(legacy, 5000)).isNull();
    }

    /** A compressor of streams does not know the length at its start. */
    @Test
    void rejectsFramesWithoutTheirLength() throws IOException {
        ForeignProgram zstd = ForeignProgram.required("zstd", "zstd");
        Path file = Files.write(directory.resolve("stream"), text(5000));
        assertThat(zstd.command("-q", "--no-content-size", file.toString())
                        .run()
                        .exitCode())
                .isZero();
        byte[] stream = Files.readAllBytes(directory.resolve("stream.zst"));
        assertThat(stream).hasSizeLessThan(5000);
        assertThat(decompress(stream, 5000)).isNull();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void writesNothingBeyondTheLengthWhateverTheInput(long seed) {
        Random random = new Random(seed);
        byte[] whole = compress(text(20_000), ROOM);
        int survived = 0;
        for (int i = 0; i < 5000; i++) {
            byte[] damaged = whole.clone();
            for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
                damaged[4 + random.nextInt(damaged.length - 4)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
            }
            survived += decompress(damaged, 20_000) == null ? 0 : 1;
        }
        assertThat(survived).isLessThan(5000);
        assertThat(decompress(whole, 20_000)).isEqualTo(text(20_000));
    }

    @Test
    void allocatesNothingOnTheHeap() {
        byte[] contents = text(50_000);
        RawMemory.copy(contents, 0, plain, contents.length);
        Runnable rounds = () -> {
            for (int i = 0; i < 100; i++) {
                int bytes = compressor.compress(plain, 50_000, frame, ROOM);
                if (compressor.compress(plain, 50_000, frame + bytes, 10) != 0
                        || !decompressor.decompress(frame, bytes, result, 50_000)
                        || decompressor.decompress(frame, bytes - 1, result, 50_000)) {
                    throw new AssertionError("not what was compressed");
                }
            }
        };
        assertThat(AllocatedBytes.leastDuring(rounds)).isZero();
    }

    @Test
    void freesContextsOnceAndRejectsLaterUse() {
        long before = Ledger.process().account("ZSTD_CCtx").liveCount();
        compressor.close();
        compressor.close();
        decompressor.close();
        assertThat(Ledger.process().account("ZSTD_CCtx").liveCount()).isEqualTo(before - 1);
        assertThatThrownBy(() -> compressor.compress(plain, 1, frame, 10))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("ZSTD_CCtx");
        assertThatThrownBy(() -> decompressor.decompress(frame, 10, result, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("ZSTD_DCtx");
    }

    @Test
    void namesThePackageWhenTheLibraryIsAbsent() {
        assertThatThrownBy(() -> Zstd.find(null, "libzstd-absent.so.1"))
                .isInstanceOf(ZstdNotFoundException.class)
                .hasMessageContaining("libzstd-absent.so.1")
                .hasMessageContaining("libzstd1");
        Path absent = directory.resolve("libzstd.so.1");
        assertThatThrownBy(() -> Zstd.find(absent.toString(), "libzstd.so.1"))
                .isInstanceOf(ZstdNotFoundException.class)
                .hasMessageContaining(absent.toString())
                .hasMessageContaining(Zstd.PROPERTY);
        assertThat(Zstd.isAvailable()).isTrue();
    }

    // ---- frames

    /** Returns a frame; empty when it does not fit. */
    private byte[] compress(byte[] contents, int capacity) {
        RawMemory.copy(contents, 0, plain, contents.length);
        byte[] bytes = new byte[compressor.compress(plain, contents.length, frame, capacity)];
        RawMemory.copy(frame, bytes, 0, bytes.length);
        return bytes;
    }

    /** Returns the contents; null when the input was rejected. Checks that nothing beyond them was written. */
    private byte @Nullable [] decompress(byte[] input, int length) {
        RawMemory.copy(input, 0, frame, input.length);
        for (int i = 0; i < GUARD_BYTES; i++) {
            RawMemory.putByte(result + length + i, GUARD);
        }
        boolean accepted = decompressor.decompress(frame, input.length, result, length);
        for (int i = 0; i < GUARD_BYTES; i++) {
            if (RawMemory.getByte(result + length + i) != GUARD) {
                throw new AssertionError("written beyond the length: offset=" + i);
            }
        }
        byte[] contents = new byte[length];
        RawMemory.copy(result, contents, 0, length);
        return accepted ? contents : null;
    }

    /** Returns a frame of one block that repeats a zero, and that declares any length (RFC 8878, section 3.1.1). */
    private static byte[] repeated(int declared, int actual) {
        int singleSegmentWithLengthOf4 = 0xa0;
        int lastBlockThatRepeats = 1 | 1 << 1;
        int block = lastBlockThatRepeats | actual << 3;
        return ByteBuffer.allocate(13)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(MAGIC)
                .put((byte) singleSegmentWithLengthOf4)
                .putInt(declared)
                .put((byte) block)
                .put((byte) (block >> 8))
                .put((byte) (block >> 16))
                .put((byte) 0)
                .array();
    }

    private static byte[] skippable() {
        return ByteBuffer.allocate(12)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(SKIPPABLE_MAGIC)
                .putInt(4)
                .array();
    }

    private static byte[] concat(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    private static byte[] text(int size) {
        byte[] bytes = new byte[size];
        for (int i = 0; i < size; i++) {
            bytes[i] = (byte) ("line " + i / 20 + " of a file of text\n").charAt(i % 20);
        }
        return bytes;
    }

    private static byte[] random(int size, long seed) {
        byte[] bytes = new byte[size];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}
