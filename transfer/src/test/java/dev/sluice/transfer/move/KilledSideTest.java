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
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Transfers whose source or target is killed (SIGKILL) at some moment, and resumed. The moments are drawn from a seed:
 * {@code -Dsluice.transfer.kills=50} tries as many of them, {@code -Dsluice.transfer.seed=N} others.
 */
@Timeout(1800)
final class KilledSideTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int KILLS = Integer.getInteger("sluice.transfer.kills", 4);
    private static final long SEED = Long.getLong("sluice.transfer.seed", 17);
    private static final long FILE_BYTES = 400L << 20;

    @TempDir
    static Path directory;

    private static Path source;
    private static Path key;
    private static String listing;
    private static long total;

    /** The side that is killed. */
    enum Victim {
        SOURCE,
        TARGET
    }

    @BeforeAll
    static void makeTree() throws IOException {
        source = Files.createDirectory(directory.resolve("source"));
        key = directory.resolve("key");
        OwnKey.loadOrCreate(key, OwnKeyType.ED25519).close();
        Trees.shell(source, "head -c " + FILE_BYTES + " /dev/urandom > large; seq 100000 > small");
        listing = Trees.listing(source);
        total = FILE_BYTES + Files.size(source.resolve("small"));
    }

    static IntStream moments() {
        return IntStream.range(0, KILLS);
    }

    @ParameterizedTest
    @MethodSource("moments")
    void resumesWithoutSendingMuchTwice(int number) throws IOException {
        RandomGenerator random = new SplittableRandom(SEED * 1_000 + number);
        Victim victim = random.nextBoolean() ? Victim.SOURCE : Victim.TARGET;
        long moment = random.nextLong(1, total);
        String label = "seed=" + SEED + ", number=" + number + ", victim=" + victim + ", moment=" + moment;
        Path target = Files.createDirectory(directory.resolve("target" + number));

        long before = runAndKill(victim, moment, source, target, key);
        long after = run(source, target, key);

        assertThat(Trees.listing(target)).as(label).isEqualTo(listing);
        double twice = 100.0 * (before + after - total) / total;
        System.out.printf("%s: %.2f %% more bytes than the files have%n", label, twice);
        // TLS, frames and hashes add less than half a percent.
        assertThat(before + after).as(label).isBetween(total, total + total / 200 + total / 50);
        Trees.shell(target, "find . -mindepth 1 -delete");
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
