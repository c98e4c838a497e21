package dev.sluice.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.RecordClients;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.fault.FaultPoint;
import dev.sluice.net.EventLoop.Backend;
import dev.sluice.simulator.Chance;
import dev.sluice.simulator.Seeds;
import dev.sluice.testkit.NativeBalance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Clients and backends that end, break off and fall silent at any moment, and clients that send records of every kind
 * in every state, on a kernel in memory that goes wrong as seeds tell: what has left on one side is ended on the other,
 * soon and without any limit of time, all is given back, and those who keep to the rules are served.
 */
final class SessionSimulationTest {
    private static final int SEEDS = 150;
    private static final int CALL_MAX = 500;

    @RegisterExtension
    final NativeBalance<?> balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    @ParameterizedTest
    @EnumSource
    void endsBothSidesWhoeverLeaves(Backend transport) {
        try (RecordClients clients = new RecordClients()) {
            Seeds.run(SEEDS, seed -> {
                SimulatedSessions sessions = new SimulatedSessions(new Chance(seed), transport);
                try (sessions) {
                    sessions.addClients(clients);
                    sessions.run();
                    sessions.assertNothingHeld();
                    assertThat(sessions.neverAccepted()).isZero();
                    assertThat(sessions.notServed()).as("honest clients").isEmpty();
                    assertThat(sessions.complaints()).isEmpty();
                }
                assertThat(sessions.uncaught()).isEmpty();
                assertThat(sessions.errors()).isEmpty();
            });
        }
    }

    /** One call of the gateway's throws, while clients and backends do as they please. */
    @ParameterizedTest
    @EnumSource
    void endsBothSidesWhateverFails(Backend transport) {
        try (RecordClients clients = new RecordClients()) {
            Seeds.run(SEEDS, seed -> {
                Chance chance = new Chance(seed);
                SimulatedSessions sessions = new SimulatedSessions(chance, transport);
                FaultPoint[] points = FaultPoint.values();
                FaultPoint point = points[chance.below(points.length)];
                int call = chance.sized(1, CALL_MAX);
                Fault fault = new Fault(point + " " + call);
                try (sessions;
                        FaultPoint.Armed armed =
                                FaultPoint.arm(point, call, sessions.gatewayCalls(), () -> fault.happens(point))) {
                    sessions.addClients(clients);
                    sessions.run();
                    sessions.assertNothingHeld();
                    int mayFail = armed.hasHit() ? 1 : 0;
                    assertThat(sessions.neverAccepted()).isLessThanOrEqualTo(mayFail);
                    assertThat(sessions.notServed()).as("honest clients").hasSizeLessThanOrEqualTo(mayFail);
                    assertThat(sessions.uncaught()).hasSizeLessThanOrEqualTo(mayFail);
                    assertThat(sessions.complaints()).isEmpty();
                } catch (Throwable t) {
                    AssertionError failure = new AssertionError(fault + ": " + t.getMessage(), t);
                    failure.addSuppressed(fault); // tells where
                    throw failure;
                }
                // Behind the end of the loop, which tells what it could not give back.
                assertThat(sessions.uncaught()).hasSizeLessThanOrEqualTo(1);
            });
        }
    }

    /** The exception that is thrown. */
    private static final class Fault extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Fault(String call) {
            super("injected by a test, " + call);
        }

        void happens(FaultPoint point) {
            fillInStackTrace();
            if (point != FaultPoint.POOL_EMPTY) {
                throw this;
            }
        }
    }
}
