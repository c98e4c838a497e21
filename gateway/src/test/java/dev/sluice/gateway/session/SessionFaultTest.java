package dev.sluice.gateway.session;

import static dev.sluice.gateway.GatewayFixture.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.FaultyGateway;
import dev.sluice.gateway.FaultyGateway.GatewayDownException;
import dev.sluice.gateway.log.FailureLog;
import dev.sluice.gateway.outcome.SessionEnd;
import dev.sluice.gateway.session.SessionScript.Stage;
import dev.sluice.memory.fault.FaultPoint;
import dev.sluice.net.EventLoop;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever fails on one side of a session ends both sides and gives everything back: each call of each kind that a
 * session makes fails once. Behind each such session nothing of it is held, it counts as ended once and by our own
 * fault, and others are served.
 */
@ParameterizedClass
@MethodSource("dev.sluice.gateway.Transports#available")
class SessionFaultTest {
    /** The time limit for an end; generous, since it passes only where the test fails. */
    private static final int PATIENCE_MILLIS = 10_000;

    /** The same once there have been failures. */
    private static final int IMPATIENCE_MILLIS = 1_000;

    /** Once there have been failures, calls that follow are not tried after so long. */
    private static final long LIMIT_NANOS = Duration.ofSeconds(80).toNanos();

    private static final int WARM_UPS = 3;
    private static final long PAUSE_NANOS = 200_000;
    private static final long QUIET_NANOS = 20_000_000;
    private static final int LINES_MAX = 3;
    /** Of each window of the log: on a busy machine the calls take several. */
    private static final int LINES_IN_WINDOW_MAX = 200;

    private static final int FRAMES_MAX = 7;

    /** Sessions do not always come to as many calls: what the kernel has ready at once differs. */
    private static final int HITS_LEAST_PERCENT = 80;

    private static final String NO_BUFFERS = "no_buffers";

    @Parameter
    @SuppressWarnings("NullAway.Init")
    EventLoop.Backend transport;

    @SuppressWarnings("NullAway.Init")
    private FaultyGateway gateway;

    private final List<String> failures = new ArrayList<>();
    private Map<String, Long> start = Map.of();
    private int tried;
    private int hits;
    private final long began = System.nanoTime();

    /** An exception as thrown by a bug. */
    private static final class InjectedFault extends RuntimeException {
        private static final long serialVersionUID = 1L;

        InjectedFault() {
            super("injected by a test");
        }
    }

    /** The same as by the JVM, when memory or stack have run out. */
    private static final class InjectedError extends VirtualMachineError {
        private static final long serialVersionUID = 1L;

        InjectedError() {
            super("injected by a test");
        }
    }

    /** The outcome of a client's session. */
    private enum Outcome {
        AS_EXPECTED,
        ENDED,
        LEFT_OPEN
    }

    @BeforeEach
    void open() throws IOException {
        gateway = new FaultyGateway(transport, EnumSet.allOf(FaultyGateway.Way.class));
        gateway.prepareToResume();
        for (SessionScript script : SessionScript.values()) {
            for (int i = 0; i < WARM_UPS; i++) {
                try (Stage stage = new Stage(gateway, PATIENCE_MILLIS)) {
                    script.play(stage);
                }
            }
        }
        start = quietState();
    }

    private Map<String, Long> quietState() {
        Waiting.until(LIMIT, gateway::isQuiet, () -> "after the warm-up: " + gateway.held());
        Map<String, Long> before = Map.of();
        Map<String, Long> now = gateway.held();
        while (!now.equals(before)) {
            LockSupport.parkNanos(QUIET_NANOS);
            before = now;
            now = gateway.held();
        }
        return now;
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    @ParameterizedTest
    @EnumSource
    void endsBothSidesAndGivesEverythingBack(FaultPoint point) throws IOException {
        for (SessionScript script : SessionScript.values()) {
            long calls = count(script, point);
            for (long call = 1; call <= calls && !isLate(); call++) {
                tryOne(script, point, call);
            }
        }
        assertThat(failures).as("%s failures", failures.size()).isEmpty();
        assertThat(hits).as("faults of %s calls", tried).isGreaterThan(tried * HITS_LEAST_PERCENT / 100);
        assertThat(gateway.lines())
                .as("a few of each kind, and not some of each fault")
                .hasSizeLessThan(windows() * LINES_IN_WINDOW_MAX);
    }

    private int windows() {
        return 1 + (int) (Duration.ofNanos(System.nanoTime() - began).toSeconds() / FailureLog.WINDOW_SECONDS);
    }

    private boolean isLate() {
        return !failures.isEmpty() && System.nanoTime() - began > LIMIT_NANOS;
    }

    private long count(SessionScript script, FaultPoint point) throws IOException {
        try (FaultPoint.Armed armed = FaultPoint.arm(point, 0, FaultyGateway.threads(), () -> {})) {
            AtomicReference<@Nullable Stage> stage = new AtomicReference<>();
            assertThat(play(script, stage)).isEqualTo(Outcome.AS_EXPECTED);
            assertThat(Objects.requireNonNull(stage.get()).isNotResumed()).isFalse();
            List<String> wrong = new ArrayList<>();
            awaitStart(wrong);
            assertThat(wrong).as("%s without a fault", script).isEmpty();
            return armed.calls();
        }
    }

    // --- one fault --------------------------------------------------------------------------------------------------

    private void tryOne(SessionScript script, FaultPoint point, long call) throws IOException {
        Trial trial = new Trial(script, point, call);
        tried++;
        try {
            trial.run();
        } catch (GatewayDownException down) {
            trial.wrong(down.getMessage() + " (" + down.getCause() + ")");
        }
        hits += trial.where.isEmpty() ? 0 : 1;
        if (!trial.wrong.isEmpty()) {
            failures.add(trial.report());
            startAnew();
        }
    }

    /** One call that fails, and what comes of it. */
    private final class Trial {
        private final SessionScript script;
        private final FaultPoint point;
        private final long call;
        private final Map<String, Long> endsBefore = gateway.counters().ends();
        private final int linesBefore = gateway.lines().size();
        private final AtomicReference<@Nullable Stage> stage = new AtomicReference<>();
        private final List<String> wrong = new ArrayList<>();
        /** The place of the fault; "" before it. Written by the loop's thread. */
        private volatile String where = "";

        Trial(SessionScript script, FaultPoint point, long call) {
            this.script = script;
            this.point = point;
            this.call = call;
        }

        void run() {
            Outcome outcome;
            boolean hit;
            try (FaultPoint.Armed armed = FaultPoint.arm(point, call, FaultyGateway.threads(), this::fail)) {
                outcome = play(script, stage);
                if (outcome == Outcome.LEFT_OPEN) {
                    wrong("the client was left open");
                }
                awaitStart(wrong);
                hit = armed.hasHit();
            }
            if (!hit && wrong.isEmpty()) {
                return; // the session has made fewer calls this time
            }
            checkEnds(outcome, difference(endsBefore, gateway.counters().ends()));
            checkLines();
            if (play(SessionScript.PROXIED, new AtomicReference<>()) != Outcome.AS_EXPECTED) {
                wrong("another client was not served");
            }
            awaitStart(wrong);
        }

        /** Injects the fault; runs on the loop's thread. */
        private void fail() {
            InjectedFault fault = new InjectedFault();
            Stage playing = stage.get();
            where = (playing == null ? "" : playing.step()) + ", at\n    " + frames(fault);
            if (point == FaultPoint.POOL_EMPTY) {
                return;
            }
            // Each call throws one on one transport and the other on the other.
            if (call % 2 == 0 == (transport == EventLoop.Backend.EPOLL)) {
                throw new InjectedError();
            }
            throw fault;
        }

        private void checkEnds(Outcome outcome, Map<String, Long> ends) {
            long count = ends.values().stream().mapToLong(Long::longValue).sum();
            String reason = String.join(",", ends.keySet());
            // A client that does wrong may not hear of it; one that does not must have all that it was to have.
            boolean mayMissTheEnd = !script.end().equals(SessionEnd.COMPLETED.label());
            boolean expected = reason.equals(script.end()) && (outcome == Outcome.AS_EXPECTED || mayMissTheEnd);
            boolean ours = isOurs(reason) || (point == FaultPoint.POOL_EMPTY && reason.equals(NO_BUFFERS));
            boolean neverBegan = count == 0 && (point == FaultPoint.HANDLER || point == FaultPoint.TRANSPORT);
            if (!neverBegan && (count != 1 || !(expected || ours))) {
                wrong("outcome " + outcome + ", ended as " + ends);
            }
        }

        private static boolean isOurs(String reason) {
            return reason.equals(SessionEnd.BROKEN.label()) || reason.endsWith("internal_error");
        }

        private void checkLines() {
            List<String> all = gateway.lines();
            long lines = all.subList(linesBefore, all.size()).stream()
                    .filter(line -> !line.contains(" more of ")) // of earlier ones
                    .count();
            if (lines > LINES_MAX) {
                wrong(lines + " lines in the log");
            }
        }

        private void wrong(String what) {
            wrong.add(what);
        }

        String report() {
            List<String> lines = gateway.lines();
            return point + " " + call + " of " + script + ": " + String.join("; ", wrong) + "\n  in " + where
                    + "\n  log: "
                    + lines.subList(linesBefore, lines.size()).stream()
                            .map(line -> line.lines().limit(1).collect(Collectors.joining()))
                            .toList();
        }
    }

    private static Map<String, Long> difference(Map<String, Long> before, Map<String, Long> now) {
        Map<String, Long> more = new TreeMap<>();
        now.forEach((key, count) -> more.put(key, count - before.getOrDefault(key, 0L)));
        more.values().removeIf(count -> count == 0);
        return more;
    }

    private Outcome play(SessionScript script, AtomicReference<@Nullable Stage> playing) {
        try (Stage stage = new Stage(gateway, patience())) {
            playing.set(stage);
            script.play(stage);
            return Outcome.AS_EXPECTED;
        } catch (SocketTimeoutException silent) {
            return Outcome.LEFT_OPEN;
        } catch (IOException | AssertionError ended) {
            return Outcome.ENDED;
        }
    }

    private int patience() {
        return failures.isEmpty() ? PATIENCE_MILLIS : IMPATIENCE_MILLIS;
    }

    /** Waits until all is as at the start, and notes what is not when time is up. */
    private void awaitStart(List<String> wrong) {
        long begin = System.nanoTime();
        Map<String, Long> now = gateway.held();
        while (!now.equals(start) && System.nanoTime() - begin < TimeUnit.MILLISECONDS.toNanos(patience())) {
            LockSupport.parkNanos(PAUSE_NANOS);
            now = gateway.held();
        }
        if (!now.equals(start)) {
            wrong.add("not given back: " + difference(start, now));
        }
    }

    private static String frames(Throwable thrown) {
        return Arrays.stream(thrown.getStackTrace())
                .map(frame -> frame.getClassName().replaceFirst("^dev\\.sluice\\.", "") + "." + frame.getMethodName()
                        + ":" + frame.getLineNumber())
                .filter(frame -> !frame.contains("Fault") && !frame.startsWith("java."))
                .limit(FRAMES_MAX)
                .collect(Collectors.joining("\n    "));
    }

    private void startAnew() throws IOException {
        try {
            gateway.close();
        } catch (RuntimeException | Error e) {
            failures.add("and the end of that gateway: " + e);
        }
        open();
    }
}
