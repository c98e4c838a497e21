package dev.sluice.gateway.accesslog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.log.AccessLogConfig;
import dev.sluice.memory.Ledger;
import dev.sluice.testkit.AllocatedBytes;
import dev.sluice.testkit.NativeBalance;
import dev.sluice.testkit.Waiting;
import dev.sluice.tls.ech.EchOutcome;
import dev.sluice.tls.engine.HandshakeInfo;
import dev.sluice.tls.engine.HandshakeKind;
import dev.sluice.tls.engine.ResumptionMiss;
import dev.sluice.tls.ticket.TicketResult;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The log by itself: this test is the loop. */
class AccessLogTest {
    private static final Duration LIMIT = Waiting.LIMIT;
    private static final InetSocketAddress PEER = peer("192.0.2.7", 4321);
    private static final Path FULL_DISK = Path.of("/dev/full");

    @RegisterExtension
    final NativeBalance<?> balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    private final AccessLogCounters counters = new AccessLogCounters();
    private final Queue<String> notes = new ConcurrentLinkedQueue<>();

    private static InetSocketAddress peer(String address, int port) {
        try {
            return new InetSocketAddress(InetAddress.getByName(address), port);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private AccessLog start(AccessLogConfig config) {
        return AccessLog.start(1, config, counters, new AccessLogNotes() {
            @Override
            public void info(String line) {
                notes.add(line);
            }

            @Override
            public void warn(String line) {
                notes.add(line);
            }
        });
    }

    private Path file() {
        return directory.resolve("access.log");
    }

    private static void connection(LoopAccessLog loop, int number) {
        ConnectionRecord record = loop.begin(PEER, "0.0.0.0:8443", System.nanoTime());
        Objects.requireNonNull(record).fromClient(number);
        loop.write(record, "completed", System.nanoTime());
    }

    private static List<Object> numbers(Path... files) throws IOException {
        List<Object> numbers = new ArrayList<>();
        for (Path file : files) {
            for (Map<String, Object> line : AccessLines.of(file)) {
                numbers.add(Objects.requireNonNull(line.get("bytes_from_client")));
            }
        }
        return numbers;
    }

    private static HandshakeInfo handshake(String serverName, @Nullable ResumptionMiss miss) {
        return new HandshakeInfo(
                "TLSv1.3",
                "TLS_AES_128_GCM_SHA256",
                "X25519",
                miss == null ? "" : "ed25519",
                serverName,
                "h2",
                miss == null ? HandshakeKind.RESUMED : HandshakeKind.FULL,
                miss,
                TicketResult.CURRENT,
                123,
                4567,
                "",
                null,
                List.of(),
                EchOutcome.OFF);
    }

    @Test
    void aLineTellsAllThatIsKnown() throws IOException {
        try (AccessLog log = start(AccessLogConfig.to(file()))) {
            LoopAccessLog loop = log.loops().getFirst();
            ConnectionRecord record =
                    Objects.requireNonNull(loop.begin(peer("2001:db8::7", 65_535), "[::]:443", 1_000));
            record.handshake(handshake("shop.example", ResumptionMiss.OTHER_HOST), 89);
            record.backend("web");
            record.server("10.0.0.1:8080");
            record.fromClient(Integer.MAX_VALUE);
            record.fromClient(Integer.MAX_VALUE);
            record.toClient(5);
            loop.write(record, "completed", 2_500_000);
        }

        Map<String, Object> line = AccessLines.of(file()).getFirst();
        assertThat(Instant.parse((String) line.remove("time")))
                .isBetween(Instant.now().minusSeconds(60), Instant.now());
        assertThat(line)
                .isEqualTo(Map.ofEntries(
                        Map.entry("peer", "[2001:db8::7]:65535"),
                        Map.entry("listener", "[::]:443"),
                        Map.entry("sni", "shop.example"),
                        Map.entry("alpn", "h2"),
                        Map.entry("version", "TLSv1.3"),
                        Map.entry("cipher", "TLS_AES_128_GCM_SHA256"),
                        Map.entry("group", "X25519"),
                        Map.entry("signature", "ed25519"),
                        Map.entry("handshake", "full"),
                        Map.entry("miss", "other_host"),
                        Map.entry("ticket", "current"),
                        Map.entry("queue_us", 89),
                        Map.entry("handshake_us", 123),
                        Map.entry("handshake_wall_us", 4567),
                        Map.entry("bytes_from_client", 2L * Integer.MAX_VALUE),
                        Map.entry("bytes_to_client", 5),
                        Map.entry("duration_us", 2_499),
                        Map.entry("backend", "web"),
                        Map.entry("server", "10.0.0.1:8080"),
                        Map.entry("end", "completed")));
    }

    @Test
    void whatIsNotKnownIsLeftOut() throws IOException {
        try (AccessLog log = start(AccessLogConfig.to(file()))) {
            connection(log.loops().getFirst(), 0);
        }

        assertThat(AccessLines.of(file()).getFirst())
                .containsOnlyKeys(
                        "time", "peer", "listener", "bytes_from_client", "bytes_to_client", "duration_us", "end")
                .containsEntry("peer", "192.0.2.7:4321");
    }

    /** Checks that a line stays one line, and JSON, whatever a client sends as a name. */
    @Test
    void hostileNamesAreEscapedAndCut() throws IOException {
        String hostile = "a\"b\\c\n\r\t\u0000\u007f\uFFFD</script>";
        String tooLong = "x".repeat(70_000);
        try (AccessLog log = start(AccessLogConfig.to(file()))) {
            LoopAccessLog loop = log.loops().getFirst();
            for (String name : List.of(hostile, tooLong)) {
                ConnectionRecord record = Objects.requireNonNull(loop.begin(PEER, "listener", 0));
                record.handshake(handshake(name, null), 0);
                loop.write(record, "completed", 0);
            }
        }

        List<Map<String, Object>> lines = AccessLines.of(file());
        assertThat(Files.readString(file(), UTF_8).lines()).hasSize(2).allMatch(line -> line.matches("[ -~]+"));
        assertThat(lines.get(0)).containsEntry("sni", hostile).doesNotContainKeys("signature", "miss");
        assertThat(lines.get(1)).containsEntry("sni", "x".repeat(AccessEntry.SERVER_NAME_MAX));
    }

    @Test
    void filesThatAreFullArePutAsideAndTheOldestGo() throws IOException {
        int lines = 3_000;
        try (AccessLog log = start(new AccessLogConfig(file(), 1, 16 << 10, 2))) {
            for (int i = 0; i < lines; i++) {
                connection(log.loops().getFirst(), i);
                if (i % 100 == 0) {
                    awaitWritten(i + 1);
                }
            }
        }

        Path one = directory.resolve("access.log.1");
        Path two = directory.resolve("access.log.2");
        try (var all = Files.list(directory)) {
            assertThat(all).contains(one, two).hasSizeBetween(2, 3);
        }
        assertThat(counters.written()).isEqualTo(lines);
        List<Object> kept = Files.exists(file()) ? numbers(two, one, file()) : numbers(two, one);
        assertThat(kept).doesNotHaveDuplicates().last().isEqualTo(lines - 1);
        assertThat((int) kept.getLast() - (int) kept.getFirst() + 1).isEqualTo(kept.size());
        assertThat(Files.size(one)).isBetween(16L << 10, 64L << 10);
    }

    private void awaitWritten(long lines) {
        Waiting.until(LIMIT, () -> counters.written() >= lines, () -> counters.written() + " lines of " + lines);
    }

    /** Renames the file as logrotate does. */
    @Test
    void aFileThatIsMovedAwayIsBegunAnew() throws IOException {
        Path moved = directory.resolve("access.log-20260101");
        try (AccessLog log = start(AccessLogConfig.to(file()))) {
            connection(log.loops().getFirst(), 1);
            awaitWritten(1);
            Files.move(file(), moved);
            log.reopen();
            Waiting.until(LIMIT, () -> Files.exists(file()), () -> "no new file");
            connection(log.loops().getFirst(), 2);
        }

        assertThat(numbers(moved)).containsExactly(1);
        assertThat(numbers(file())).containsExactly(2);
    }

    /** Nobody tells it: it looks by itself. */
    @Test
    void aDirectoryThatIsRemovedIsMissedAndUsedAgain() throws IOException {
        Path inside = Files.createDirectory(directory.resolve("logs"));
        Path file = inside.resolve("access.log");
        try (AccessLog log = start(AccessLogConfig.to(file))) {
            connection(log.loops().getFirst(), 1);
            awaitWritten(1);
            Files.delete(file);
            Files.delete(inside);
            Waiting.until(LIMIT, () -> counters.failures() > 0, () -> "the directory is not missed");
            connection(log.loops().getFirst(), 2);
            Files.createDirectory(inside);
            awaitWritten(2);
        }

        assertThat(numbers(file)).containsExactly(2);
        assertThat(counters.dropped()).isZero();
        assertThat(notes).hasSize(2);
        assertThat(notes.poll()).contains("cannot be written", file.toString());
        assertThat(notes.poll()).contains("written again, 0 lines were lost");
    }

    /** The kernel's own full disk: it opens, and takes no byte. */
    @Test
    void aFullDiskCostsWhatTheRingDoesNotHoldAndNoMore() throws IOException {
        int lines = 30_000;
        Files.createSymbolicLink(file(), FULL_DISK);
        try (AccessLog log = start(AccessLogConfig.to(file()))) {
            LoopAccessLog loop = log.loops().getFirst();
            connection(loop, 0);
            Waiting.until(LIMIT, () -> counters.failures() > 0, () -> "the disk takes it");
            for (int i = 1; i < lines; i++) {
                connection(loop, i);
            }
            assertThat(counters.written()).isZero();
            assertThat(counters.dropped()).isPositive();
            Files.delete(file());
        }

        assertThat(counters.written()).isGreaterThan(5_000);
        assertThat(counters.written() + counters.dropped()).isEqualTo(lines);
        List<Object> written = numbers(file());
        assertThat(written).hasSize((int) counters.written()).first().isEqualTo(0);
        assertThat(notes).hasSize(2);
        assertThat(notes.poll()).contains("cannot be written", file().toString());
        assertThat(notes.poll()).contains("written again");
    }

    @Test
    void whatCannotBeWrittenUntilTheEndIsCounted() {
        AccessLog log = start(AccessLogConfig.to(FULL_DISK));
        connection(log.loops().getFirst(), 1);
        connection(log.loops().getFirst(), 2);
        log.close();

        assertThat(counters.dropped()).isEqualTo(2);
        assertThat(counters.written()).isZero();
        assertThat(notes).anyMatch(note -> note.startsWith("2 lines of the access log were lost"));
    }

    @Test
    void aSampleIsAlwaysOfTheSameConnections() throws IOException {
        int connections = 20_000;
        try (AccessLog log = start(AccessLogConfig.to(file()))) {
            LoopAccessLog loop = log.loops().getFirst();
            loop.sample(0.25);
            List<Integer> first = sampled(loop, connections);
            List<Integer> again = sampled(loop, connections);

            assertThat(first).isEqualTo(again);
            assertThat((double) first.size() / connections).isBetween(0.22, 0.28);
            loop.sample(1);
            assertThat(sampled(loop, 100)).hasSize(100);
        }
    }

    private static List<Integer> sampled(LoopAccessLog loop, int connections) {
        List<Integer> sampled = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            if (loop.begin(peer("192.0.2." + i % 50, 1024 + i), "listener", 0) != null) {
                sampled.add(i);
            }
        }
        return sampled;
    }

    @Test
    void aSampledLineTellsOfHowManyItIsOne() throws IOException {
        try (AccessLog log = start(new AccessLogConfig(file(), 0.999_999, 0, 1))) {
            connection(log.loops().getFirst(), 1);
        }

        assertThat(AccessLines.of(file()).getFirst()).containsEntry("sample", 0.999_999);
    }

    @Test
    void anotherFileFromNowOn() throws IOException {
        Path other = directory.resolve("other.log");
        try (AccessLog log = start(AccessLogConfig.to(file()))) {
            connection(log.loops().getFirst(), 1);
            awaitWritten(1);
            log.configure(AccessLogConfig.to(other));
            Waiting.until(LIMIT, () -> Files.exists(other), () -> "no other file");
            connection(log.loops().getFirst(), 2);
        }

        assertThat(numbers(file())).containsExactly(1);
        assertThat(numbers(other)).containsExactly(2);
    }

    @Test
    void theLoopAllocatesNothingToWrite() {
        try (AccessLog log = start(AccessLogConfig.to(file()))) {
            LoopAccessLog loop = log.loops().getFirst();
            ConnectionRecord record = Objects.requireNonNull(loop.begin(PEER, "listener", 0));
            record.handshake(handshake("shop.example", ResumptionMiss.NONE_OFFERED), 0);
            long allocated = AllocatedBytes.leastDuring(() -> {
                for (int i = 0; i < 2_000; i++) {
                    record.fromClient(1);
                    record.toClient(1);
                    loop.write(record, "completed", i);
                }
            });

            assertThat(allocated).isZero();
        }
    }
}
