package dev.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.session.SessionScript;
import dev.sluice.gateway.session.SessionScript.Stage;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.fault.FaultPoint;
import dev.sluice.net.EventLoop;
import dev.sluice.testkit.NativeBalance;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.EnumSet;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A loop makes its ciphers and key derivations for the first session that needs them: each call of that fails once, in
 * a gateway of its own, which gives everything back when it ends.
 */
class FirstSessionFaultTest {
    private static final int PATIENCE_MILLIS = 5_000;

    @RegisterExtension
    final NativeBalance<?> balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    @ParameterizedTest
    @EnumSource(names = {"RESET_BY_CLIENT", "TLS_1_2"})
    void leavesNothingBehind(SessionScript script) throws IOException {
        long calls = play(script, 0);
        for (long call = 1; call <= calls; call++) {
            play(script, call);
            try {
                balance.verify();
            } catch (AssertionError left) {
                throw new AssertionError("EVP call " + call + " of " + calls + ", " + script, left);
            }
        }
        assertThat(calls).isPositive();
    }

    private static long play(SessionScript script, long call) throws IOException {
        Runnable fault = () -> {
            throw new IllegalStateException("injected by a test");
        };
        try (FaultyGateway gateway = new FaultyGateway(EventLoop.Backend.EPOLL, EnumSet.of(script.way()));
                FaultPoint.Armed armed = FaultPoint.arm(FaultPoint.EVP, call, FaultyGateway.threads(), fault);
                Stage stage = new Stage(gateway, PATIENCE_MILLIS)) {
            try {
                script.play(stage);
            } catch (SocketTimeoutException silent) {
                throw new AssertionError("the client was left open, EVP call " + call + " of " + script, silent);
            } catch (IOException ended) {
                // As it should.
            }
            return armed.calls();
        }
    }
}
