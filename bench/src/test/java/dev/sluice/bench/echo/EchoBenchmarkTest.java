package dev.sluice.bench.echo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bench.harness.Report;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EchoBenchmarkTest {
    @TempDir
    private Path directory;

    @Test
    void explicitOptionsReplaceTheEffortsDefaults() {
        EchoEffort full = options(false, List.of(), List.of()).effort();
        assertThat(full).isEqualTo(EchoEffort.full());
        EchoEffort some = options(true, List.of(7), List.of(64, 100)).effort();
        assertThat(some.connections()).containsExactly(7);
        assertThat(some.sizes()).containsExactly(64, 100);
        assertThat(some.plan().rounds()).isEqualTo(1);
        assertThat(some.roundMillis()).isEqualTo(EchoEffort.quick().roundMillis());
    }

    /** Runs every server in its own process, with messages longer than one buffer. */
    @Test
    void everyAvailableServerEchoesEveryByte() throws Exception {
        ByteArrayOutputStream results = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(results, true, StandardCharsets.UTF_8);
                PrintStream progress = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8)) {
            EchoEffort least = new EchoEffort(
                    List.of(3), List.of(40_000), 10, 10, EchoEffort.quick().plan());
            new EchoBenchmark(options(true, List.of(3), List.of(40_000)), least, Report.Style.TEXT, out, progress)
                    .run();
        }
        String said = results.toString(StandardCharsets.UTF_8);
        assertThat(said).contains("Echo of 40000 B", "3 connections").doesNotContain("Left out");
        assertThat(said).contains("\njava.nio  ", "\nNetty, NIO  ", "\nSluice, epoll  ");
        assertThat(Files.readString(directory.resolve("rounds.json")))
                .contains("\"experiment\":\"echo-3-40000\"", "server_cpu_micros");
        assertThat(Files.readString(directory.resolve("chart.svg")))
                .startsWith("<svg")
                .contains("Sluice, epoll");
    }

    private EchoBenchmark.Options options(boolean quick, List<Integer> connections, List<Integer> sizes) {
        return new EchoBenchmark.Options(
                quick,
                Optional.of(quick ? 1 : EchoEffort.full().plan().rounds()),
                connections,
                sizes,
                Optional.of(directory.resolve("rounds.json")),
                Optional.of(directory.resolve("chart.svg")));
    }
}
