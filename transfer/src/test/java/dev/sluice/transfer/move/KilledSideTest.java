package dev.sluice.transfer.move;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.RunningProgram;
import dev.sluice.testkit.Waiting;
import dev.sluice.transfer.identity.OwnKey;
import dev.sluice.transfer.identity.OwnKeyType;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Transfers whose source or target is killed (SIGKILL) at some moment, and resumed. */
@Timeout(300)
final class KilledSideTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final long FILE_BYTES = 400L << 20;

    @TempDir
    Path directory;

    /** The side that is killed. */
    enum Victim {
        SOURCE,
        TARGET
    }

    @ParameterizedTest
    @CsvSource({"SOURCE, 7", "TARGET, 30", "SOURCE, 55", "TARGET, 90"})
    void resumesWithoutSendingMuchTwice(Victim victim, int percent) throws IOException {
        Path source = Files.createDirectory(directory.resolve("source"));
        Path target = Files.createDirectory(directory.resolve("target"));
        Path key = directory.resolve("key");
        OwnKey.loadOrCreate(key, OwnKeyType.ED25519).close();
        Trees.shell(source, "head -c " + FILE_BYTES + " /dev/urandom > large; seq 100000 > small");
        long total = FILE_BYTES + Files.size(source.resolve("small"));

        long before = runAndKill(victim, total * percent / 100, source, target, key);
        assertThat(target.resolve("large")).doesNotExist();
        long after = run(source, target, key);

        assertThat(Trees.listing(target)).isEqualTo(Trees.listing(source));
        // TLS, frames and hashes add less than half a percent.
        assertThat(before + after).isBetween(total, total + total / 200 + total / 50);
    }

    private static long runAndKill(Victim victim, long bytes, Path source, Path target, Path key) throws IOException {
        try (RunningProgram server = SideProcess.source(source, key);
                CountingRelay relay = new CountingRelay(addressOf(server));
                RunningProgram client = SideProcess.target(target, key, relay.address())) {
            Waiting.until(LIMIT, () -> relay.bytes() >= bytes, () -> "bytes=" + relay.bytes() + " " + client);
            (victim == Victim.SOURCE ? server : client).close();
            client.awaitExit(LIMIT);
            return relay.bytes();
        }
    }

    private static long run(Path source, Path target, Path key) throws IOException {
        try (RunningProgram server = SideProcess.source(source, key);
                CountingRelay relay = new CountingRelay(addressOf(server));
                RunningProgram client = SideProcess.target(target, key, relay.address())) {
            client.awaitOutput("received ", LIMIT);
            client.awaitExit(LIMIT);
            return relay.bytes();
        }
    }

    static InetSocketAddress addressOf(RunningProgram server) {
        server.awaitOutput("\n", LIMIT);
        assertThat(server.output()).startsWith("port ");
        return TcpSource.loopback(Integer.parseInt(
                server.output().lines().findFirst().orElseThrow().substring("port ".length())));
    }
}
