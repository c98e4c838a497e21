package dev.sluice.transfer.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.ffi.zstd.ZstdDecompressor;
import dev.sluice.memory.NativeAllocator;
import dev.sluice.memory.OutOfNativeMemoryException;
import dev.sluice.testkit.AllocatedBytes;
import dev.sluice.testkit.RunningProgram;
import dev.sluice.transfer.channel.ChannelSocket;
import dev.sluice.transfer.channel.SecureChannel;
import dev.sluice.transfer.identity.AllowedKeys;
import dev.sluice.transfer.identity.OwnKey;
import dev.sluice.transfer.identity.OwnKeyType;
import dev.sluice.transfer.protocol.ChannelWire;
import dev.sluice.transfer.protocol.ProtocolLimits;
import dev.sluice.transfer.tree.TransferException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Transfers whose contents are compressed on the way, as find and sha256sum see them. */
@Timeout(120)
final class CompressionTest extends TwoDirectories {
    private static final int CHUNK = ProtocolLimits.CHUNK_BYTES;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static final ReceiverOptions OPTIONS =
            ReceiverOptions.DEFAULT.withCompression(ReceiverOptions.Compression.ZSTD);

    @Test
    void keepsNothingWhenMemoryIsRefused() {
        NativeAllocator refusing = new NativeAllocator() {
            @Override
            public MemorySegment allocate(long byteSize, long byteAlignment) {
                throw new OutOfNativeMemoryException("injected");
            }

            @Override
            public void free(MemorySegment segment) {
                throw new AssertionError("nothing was allocated");
            }
        };
        assertThatThrownBy(() -> new ChunkCompressor(refusing)).isInstanceOf(OutOfNativeMemoryException.class);
        assertThatThrownBy(() -> new ChunkDecompressor(refusing)).isInstanceOf(OutOfNativeMemoryException.class);
    }

    @Test
    void sendsTextInAFifthOfItsBytes() throws IOException {
        Trees.write(source.resolve("text"), text(3_000_001));
        Trees.write(source.resolve("dir/chunk"), text(CHUNK));
        Trees.write(source.resolve("dir/one more"), text(CHUNK + 1));
        for (int i = 0; i < 300; i++) {
            Trees.write(source.resolve("many/" + i), text(10 * i));
        }
        Trees.Result result = Trees.pull(source, target, OPTIONS);
        assertThat(Trees.listing(target)).isEqualTo(Trees.listing(source));
        assertThat(result.summary().failed()).isZero();
        assertThat(result.summary().bytes()).isPositive().isLessThan(result.sent() / 5);
    }

    @Test
    void compressesWithoutChecksumsToo() throws IOException {
        Trees.write(source.resolve("text"), text(1_000_000));
        Trees.Result result =
                Trees.pull(source, target, OPTIONS.withVerification(ReceiverOptions.Verification.TRANSPORT));
        assertThat(Trees.listing(target)).isEqualTo(Trees.listing(source));
        assertThat(result.summary().bytes()).isLessThan(200_000);
    }

    @Test
    void sendsWhatDoesNotShrinkAsItIs() throws IOException {
        Trees.write(source.resolve("random"), Trees.random(2_000_000, 1));
        Trees.write(source.resolve("small"), Trees.random(1000, 2));
        Trees.write(source.resolve("tiny"), text(100));
        Trees.Result result = Trees.pull(source, target, OPTIONS);
        assertThat(Trees.listing(target)).isEqualTo(Trees.listing(source));
        assertThat(result.summary().bytes()).isEqualTo(result.sent()).isEqualTo(2_001_100);
    }

    @Test
    void decidesByAFilesFirstChunk() throws IOException {
        byte[] random = Trees.random(CHUNK, 1);
        Trees.write(source.resolve("file"), concat(random, text(4 * CHUNK)));
        assertThat(Trees.pull(source, target, OPTIONS).summary().bytes()).isEqualTo(5L * CHUNK);

        Trees.shell(target, "rm file");
        Trees.write(source.resolve("file"), concat(text(4 * CHUNK), random));
        assertThat(Trees.pull(source, target, OPTIONS).summary().bytes()).isBetween((long) CHUNK, 2L * CHUNK);

        assertThat(Trees.listing(target)).isEqualTo(Trees.listing(source));
    }

    @Test
    void decidesOnEachFileAnew() throws IOException {
        Trees.write(source.resolve("a random"), Trees.random(3 * CHUNK, 1));
        Trees.write(source.resolve("b text"), text(3 * CHUNK));
        Trees.write(source.resolve("c random"), Trees.random(3 * CHUNK, 2));
        assertThat(Trees.pull(source, target, OPTIONS).summary().bytes()).isBetween(6L * CHUNK, 7L * CHUNK);
        assertThat(Trees.listing(target)).isEqualTo(Trees.listing(source));
    }

    @Test
    void keepsHoles() throws IOException {
        Trees.shell(source, "truncate -s 200M sparse; for i in $(seq 9000); do echo line $i; done > lines");
        Trees.shell(source, "dd if=lines of=sparse bs=4k seek=10000 conv=notrunc status=none");
        Trees.Result result = Trees.pull(source, target, OPTIONS);
        assertThat(Trees.shell(target, "sha256sum sparse")).isEqualTo(Trees.shell(source, "sha256sum sparse"));
        assertThat(result.summary().bytes()).isLessThan(result.sent());
        assertThat(Long.parseLong(Trees.shell(target, "du -k sparse | cut -f1").trim()))
                .isLessThan(1000);
    }

    @Test
    void compressesOnlyTheChunksThatChanged() throws IOException {
        byte[] contents = text(20 * CHUNK);
        Trees.write(source.resolve("file"), contents);
        Trees.pull(source, target, OPTIONS);
        contents[7 * CHUNK + 5]++;
        Trees.write(source.resolve("file"), Arrays.copyOf(contents, contents.length + 1000));
        Trees.Result result = Trees.pull(source, target, OPTIONS);
        assertThat(Trees.listing(target)).isEqualTo(Trees.listing(source));
        assertThat(result.sent()).isEqualTo(CHUNK + 1000);
        assertThat(result.summary().bytes()).isLessThan(CHUNK / 5);
    }

    @Test
    void resumesAfterACutAtAnyPoint() throws IOException {
        Trees.write(source.resolve("large"), concat(text(6 * CHUNK), Trees.random(3 * CHUNK, 1)));
        Trees.write(source.resolve("small"), text(5000));
        long whole = 9L * CHUNK + 5000;
        int resumed = 0;
        for (long cut = 500; cut < 5 * CHUNK; cut = cut * 3 / 2 + 1001) {
            Trees.shell(target, "find . -mindepth 1 -delete");
            try {
                Trees.pull(source, target, OPTIONS, cut);
            } catch (TransferException e) {
                Trees.Result rest = Trees.pull(source, target, OPTIONS);
                assertThat(rest.sent()).isLessThanOrEqualTo(whole);
                resumed += rest.sent() < whole ? 1 : 0;
            }
            assertThat(Trees.listing(target)).as("cut=" + cut).isEqualTo(Trees.listing(source));
        }
        assertThat(resumed).isPositive();
    }

    /** Contents that arrived compressed are kept by a target that no longer asks for compression, and the reverse. */
    @Test
    void resumesWithAndWithoutCompression() throws IOException {
        Trees.write(source.resolve("large"), concat(text(8 * CHUNK), Trees.random(4 * CHUNK, 1)));
        assertThatThrownBy(() -> Trees.pull(source, target, OPTIONS, 3L * CHUNK))
                .isInstanceOf(TransferException.class);
        Trees.Result rest = Trees.pull(source, target, ReceiverOptions.DEFAULT);
        assertThat(rest.sent()).isLessThan(12L * CHUNK);
        assertThat(rest.summary().bytes()).isEqualTo(rest.sent());
        assertThat(Trees.listing(target)).isEqualTo(Trees.listing(source));
    }

    @Test
    void compressesOverSeveralStreams() throws IOException {
        Trees.write(source.resolve("large"), text(150 << 20));
        Trees.write(source.resolve("random"), Trees.random(5_000_000, 4));
        Trees.shell(source, "mkdir many; for i in $(seq 500); do seq $i > many/$i; done");
        try (TcpSource server = new TcpSource(source)) {
            Trees.Result result = server.pullTo(target, OPTIONS.withStreams(3).withWindowBytes(2 << 20));
            assertThat(result.summary().failed()).isZero();
            assertThat(result.summary().bytes()).isLessThan(result.sent() / 3);
        }
        assertThat(Trees.listing(target)).isEqualTo(Trees.listing(source));
    }

    @Test
    void limitsWhatGoesOverTheWire() throws IOException {
        Trees.write(source.resolve("text"), text(1_000_000));
        long[] passed = {0};
        BandwidthLimit counting = new BandwidthLimit(1 << 30, () -> passed[0], nanos -> passed[0] += nanos);
        Trees.Result result = Trees.pull(source, target, OPTIONS.withLimit(counting));
        assertThat(Trees.listing(target)).isEqualTo(Trees.listing(source));
        assertThat(passed[0]).isPositive().isLessThan(result.summary().bytes() * 2);
    }

    /** A source whose machine has no libzstd sends everything as it is. */
    @Test
    void receivesFromASourceWithoutTheLibrary() throws IOException {
        Trees.write(source.resolve("text"), text(1_000_000));
        Path key = directory.resolve("key");
        try (OwnKey own = OwnKey.loadOrCreate(key, OwnKeyType.ED25519);
                RunningProgram server =
                        SideProcess.source(source, key, "env", "JAVA_TOOL_OPTIONS=-Dsluice.zstd=/absent")) {
            server.awaitOutput("port ", LIMIT);
            Matcher port = Pattern.compile("port (\\d+)").matcher(server.output());
            assertThat(port.find()).isTrue();
            InetSocketAddress address = TcpSource.loopback(Integer.parseInt(port.group(1)));
            StreamFactory streams = number -> new ChannelWire(SecureChannel.connect(
                    ChannelSocket.connect(address, LIMIT), own, AllowedKeys.of(own.fingerprint()), TcpSource.SETTINGS));
            Receiver receiver = new Receiver(target, OPTIONS, TransferListener.NONE);
            assertThat(receiver.pull(streams.open(0), Trees.ID, streams).bytes())
                    .isEqualTo(1_000_000);
        }
        assertThat(Trees.listing(target)).isEqualTo(Trees.listing(source));
    }

    @Test
    void chunksAllocateNothingOnTheHeap() {
        try (Arena arena = Arena.ofConfined();
                ChunkCompressor compressor = new ChunkCompressor();
                ZstdDecompressor decompressor = new ZstdDecompressor()) {
            MemorySegment chunk = arena.allocateFrom(ValueLayout.JAVA_BYTE, text(CHUNK));
            MemorySegment result = arena.allocate(CHUNK);
            Runnable rounds = () -> {
                for (int i = 0; i < 20; i++) {
                    compressor.nextFile();
                    int bytes = compressor.isWorth(CHUNK) ? compressor.compress(chunk.address(), CHUNK) : 0;
                    if (!decompressor.decompress(compressor.frame(), bytes, result.address(), CHUNK)) {
                        throw new AssertionError("not what was compressed");
                    }
                }
            };
            assertThat(AllocatedBytes.leastDuring(rounds)).isZero();
            assertThat(result.mismatch(chunk)).isEqualTo(-1);
        }
    }

    private static byte[] text(int size) {
        StringBuilder text = new StringBuilder(size + 64);
        for (int line = 0; text.length() < size; line++) {
            text.append("line ")
                    .append(line)
                    .append(" of ")
                    .append(line * 31 % 1009)
                    .append(", all of it text\n");
        }
        return text.substring(0, size).getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] concat(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }
}
