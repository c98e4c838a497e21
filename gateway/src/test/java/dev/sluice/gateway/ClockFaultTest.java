package dev.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.session.SessionScript;
import dev.sluice.gateway.session.SessionScript.Stage;
import dev.sluice.net.EventLoop;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Phases of a session that throw where no call of a library fails: each read of the gateway's clock does so once. That
 * reaches the admission of a handshake and the choice of a server.
 */
class ClockFaultTest {
    private static final int PATIENCE_MILLIS = 10_000;
    private static final Duration LIMIT = Duration.ofMillis(PATIENCE_MILLIS);

    private final AtomicLong reads = new AtomicLong();
    /** The read that throws; 0: none. */
    private volatile long failing;

    private long nanoTime() {
        if (FaultyGateway.threads().test(Thread.currentThread()) && reads.incrementAndGet() == failing) {
            throw new IllegalStateException("injected by a test");
        }
        return System.nanoTime();
    }

    @ParameterizedTest
    @EnumSource(names = {"FULL_HANDSHAKE", "PROXIED", "TLS_BACKEND"})
    void givesEverythingBackWhicheverReadFails(SessionScript script) throws IOException {
        try (FaultyGateway gateway =
                new FaultyGateway(EventLoop.Backend.EPOLL, EnumSet.of(script.way()), this::nanoTime)) {
            serves(gateway, script);
            Map<String, Long> start = gateway.held();
            reads.set(0);
            serves(gateway, script);
            long calls = reads.get();
            assertThat(calls).isPositive();
            for (long call = 1; call <= calls; call++) {
                failsOnce(gateway, script, call);
                String read = "read " + call + " of " + calls;
                Waiting.until(LIMIT, () -> gateway.held().equals(start), () -> read + ": " + gateway.held());
                serves(gateway, script);
            }
        }
    }

    private static void serves(FaultyGateway gateway, SessionScript script) throws IOException {
        try (Stage stage = new Stage(gateway, PATIENCE_MILLIS)) {
            script.play(stage);
        }
        Waiting.until(LIMIT, gateway::isQuiet, () -> "not over: " + gateway.held());
    }

    private void failsOnce(FaultyGateway gateway, SessionScript script, long call) throws IOException {
        reads.set(0);
        failing = call;
        try (Stage stage = new Stage(gateway, PATIENCE_MILLIS)) {
            script.play(stage);
        } catch (SocketTimeoutException silent) {
            throw new AssertionError("the client was left open, read " + call, silent);
        } catch (IOException | AssertionError ended) {
            // As it may.
        } finally {
            failing = 0;
        }
    }
}
