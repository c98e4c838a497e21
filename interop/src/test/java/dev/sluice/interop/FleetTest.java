package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Backend;
import dev.sluice.interop.fixture.FleetClients;
import dev.sluice.interop.fixture.FleetClients.Sum;
import dev.sluice.interop.fixture.GatewayProcess;
import dev.sluice.interop.fixture.GatewaySetup;
import dev.sluice.interop.fixture.HttpBackend;
import dev.sluice.interop.fixture.Transport;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Three gateways share ticket keys through a real Redis, with a new key every second, and clients come back to any of
 * them: whatever happens to nodes or store, 99 of 100 resume. The system property {@code sluice.fleet.handshakes} says
 * how many handshakes there are in each test, and {@code sluice.fleet.rate} how many in a second; 10,000 are the whole
 * proof.
 */
class FleetTest {
    private static final int HANDSHAKES = Integer.getInteger("sluice.fleet.handshakes", 200);
    private static final int PER_SECOND = Integer.getInteger("sluice.fleet.rate", 50);
    private static final int CLIENTS = 20;
    private static final double LEAST_RATIO = 0.99;

    @TempDir
    static Path compiled = Path.of("");

    private static Path program = Path.of("");

    private final Backend backend = HttpBackend.start();
    private final RedisServer redis = RedisServer.start();
    private final List<GatewayProcess> nodes = new ArrayList<>();
    private FleetClients clients = FleetClients.start(program, "1.3", CLIENTS);

    @TempDir
    private Path directory = Path.of("");

    private Path fleetKey = Path.of("");

    @BeforeAll
    static void compile() {
        program = FleetClients.compile(compiled);
    }

    @BeforeEach
    void startNodes() throws IOException {
        fleetKey = Files.write(directory.resolve("fleet.key"), new byte[32]);
        for (int i = 0; i < 3; i++) {
            nodes.add(GatewayProcess.start(setup()));
        }
    }

    @AfterEach
    void stop() {
        clients.close();
        nodes.forEach(GatewayProcess::close);
        redis.close();
        backend.close();
    }

    private GatewaySetup setup() {
        return GatewaySetup.before(backend, Transport.EPOLL)
                .with("tickets: {rotate: 1s, keep: 30s, poll: 200ms, store: \"" + redis.url() + "\", fleet-key: "
                        + fleetKey + "}")
                .with("loops: 1");
    }

    private Sum visit(int handshakes) throws IOException {
        clients.goTo(nodes.stream().map(GatewayProcess::port).toList());
        return clients.run(handshakes, PER_SECOND);
    }

    private void assertResumed(int handshakes) throws IOException {
        assertResumed(visit(handshakes), handshakes);
    }

    /** Does something while clients come and go. */
    private void assertResumedDuring(int handshakes, Executable event) throws Throwable {
        CompletableFuture<Sum> visit = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                visit.complete(visit(handshakes));
            } catch (Throwable e) {
                visit.completeExceptionally(e);
            }
        });
        Thread.sleep(Duration.ofSeconds(handshakes).dividedBy(4L * PER_SECOND));
        event.execute();
        assertResumed(visit.get(), handshakes);
    }

    /** Checks that every client that could resume did, and none was refused by all nodes. */
    private void assertResumed(Sum sum, int handshakes) {
        assertThat(sum.ratio()).as(sum + "\n" + logs()).isGreaterThanOrEqualTo(LEAST_RATIO);
        assertThat(sum.first() + sum.resumed() + sum.full()).as(sum.toString()).isEqualTo(handshakes);
    }

    private String logs() {
        StringBuilder text = new StringBuilder();
        nodes.forEach(
                node -> text.append("--- ").append(node.port()).append('\n').append(node.log()));
        return text.toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.2", "1.3"})
    void clientsResumeAtAnyNode(String version) throws IOException {
        clients.close();
        clients = FleetClients.start(program, version, CLIENTS);
        assertResumed(HANDSHAKES);
    }

    @Test
    void aNodeIsKilledAndAnotherJoins() throws Throwable {
        assertResumed(HANDSHAKES / 4);
        GatewayProcess killed = nodes.get(1);
        assertResumedDuring(HANDSHAKES / 2, killed::close);
        nodes.remove(killed);
        nodes.add(GatewayProcess.start(setup()));
        assertResumed(HANDSHAKES / 4);
    }

    @Test
    void redisRestartsAndHasLostItsData() throws Throwable {
        assertResumed(HANDSHAKES / 4);
        assertResumedDuring(HANDSHAKES / 2, redis::restartEmpty);
        assertResumedDuring(HANDSHAKES / 2, redis::kill);
        redis.startAgain();
        assertResumed(HANDSHAKES / 4);
    }

    @Test
    void redisStopsAnswering() throws Throwable {
        assertResumed(HANDSHAKES / 4);
        try {
            // No longer than there are keys ahead, with one a second.
            assertResumedDuring(Math.min(HANDSHAKES, 10 * PER_SECOND), redis::suspend);
        } finally {
            redis.resume();
        }
        assertResumed(HANDSHAKES / 2);
    }

    /** Starts a node with a shifted clock for the whole process, including OpenSSL. */
    @ParameterizedTest
    @ValueSource(strings = {"+1d", "-1d"})
    void aNodeJoinsWhoseClockIsADayOff(String offset) throws IOException {
        assertResumed(HANDSHAKES / 4);
        GatewayProcess wrong =
                GatewayProcess.start(setup().by(ForeignProgram.required("faketime", "faketime"), "-f", offset));
        nodes.add(wrong);
        assertResumed(HANDSHAKES);
        assertThat(wrong.log()).contains("this machine's clock is about 24 hours", "set the clock (NTP)");
    }
}
