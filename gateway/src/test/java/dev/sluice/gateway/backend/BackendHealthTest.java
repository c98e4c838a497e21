package dev.sluice.gateway.backend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.Balance;
import dev.sluice.config.model.EjectConfig;
import dev.sluice.config.model.HealthConfig;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.gateway.Copies;
import dev.sluice.gateway.backend.ServerStatus.Health;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BackendHealthTest {
    private static final long SECOND = 1_000_000_000L;
    private static final SocketAddress FIRST = new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 80);
    private static final SocketAddress SECOND_SERVER = new InetSocketAddress(InetAddress.ofLiteral("192.0.2.2"), 80);
    private static final BackendConfig CONFIG = Copies.of(new BackendConfig(
                    "web",
                    List.of(FIRST, SECOND_SERVER),
                    Balance.ROUND_ROBIN,
                    ProxyProtocol.NONE,
                    Duration.ofSeconds(1)))
            .eject(new EjectConfig(3, Duration.ofSeconds(10), Duration.ofSeconds(60)))
            .build();

    private final List<String> lines = new ArrayList<>();
    private final BackendHealth.Log log = new BackendHealth.Log() {
        @Override
        public void info(String line) {
            lines.add("INFO " + line);
        }

        @Override
        public void warn(String line) {
            lines.add("WARN " + line);
        }
    };

    /** Such as the monotonic clock may begin with. */
    private long now = Long.MAX_VALUE - 5 * SECOND;

    private BackendHealth health = new BackendHealth(CONFIG, null, log);

    // --- connects that fail -----------------------------------------------------------------------------------------

    @Test
    void soManyFailuresInARowEject() {
        fail(2);
        health.connected(0, now);
        fail(2);
        assertThat(usable()).isTrue();
        assertThat(health.connectFailed(0, now, "refused")).isTrue();

        assertThat(usable()).isFalse();
        assertThat(health.standing().isUsable(1, now)).isTrue();
        assertThat(state()).isEqualTo(Health.EJECTED);
        assertThat(lines)
                .containsExactly("WARN backend web: server 192.0.2.1:80 is ejected for 10s: 3 connects in a row failed,"
                        + " the last: refused");
        now += 10 * SECOND;
        assertThat(usable()).isTrue();
        assertThat(state()).isEqualTo(Health.UP);
    }

    /** Connections that were begun before are told to have failed afterwards: they count once. */
    @Test
    void failuresOfOneThatIsOutChangeNothing() {
        fail(3);
        now += 9 * SECOND;
        fail(50);
        now += SECOND;
        assertThat(usable()).isTrue();
        assertThat(lines).hasSize(1);
    }

    @Test
    void oneThatFailsAgainAtOnceIsOutForTwiceAsLongUpToTheLongest() {
        for (int seconds : new int[] {10, 20, 40, 60, 60}) {
            fail(seconds == 10 ? 3 : 1);
            now += seconds * SECOND - 1;
            assertThat(usable()).as("after %d s", seconds).isFalse();
            now += 1;
            assertThat(usable()).as("after %d s", seconds).isTrue();
        }
    }

    @Test
    void oneThatHasWorkedForAsLongAsItWasOutBeginsAnew() {
        fail(3);
        now += 10 * SECOND;
        health.connected(0, now);
        now += 10 * SECOND;
        fail(3);
        now += 10 * SECOND;
        assertThat(usable()).isTrue();
        assertThat(lines)
                .element(1)
                .asString()
                .isEqualTo("INFO backend web: server 192.0.2.1:80 takes connections again after 10s");
    }

    @Test
    void oneThatWorkedForAMomentOnlyDoesNot() {
        fail(3);
        now += 10 * SECOND;
        health.connected(0, now);
        now += SECOND;
        fail(3);
        now += 19 * SECOND;
        assertThat(usable()).isFalse();
    }

    /** Covers the case that all servers are out, so that all are tried. */
    @Test
    void aConnectThatSucceedsAllTheSameBringsItBack() {
        fail(3);
        now += SECOND;
        health.connected(0, now);
        assertThat(usable()).isTrue();
        assertThat(health.standing().share(0, now)).isEqualTo(Standing.LEAST_SHARE);
    }

    @Test
    void withoutARuleNothingIsEjected() {
        health = new BackendHealth(Copies.of(CONFIG).eject(null).build(), null, log);
        fail(1_000);
        assertThat(usable()).isTrue();
        assertThat(lines).isEmpty();
    }

    @Test
    void itIsSaidOnceThatNoneIsLeft() {
        fail(3);
        for (int i = 0; i < 3; i++) {
            health.connectFailed(1, now, "refused");
        }
        assertThat(lines).hasSize(3).last().isEqualTo("WARN backend web: no server is left, so that all are tried");
    }

    // --- checks -----------------------------------------------------------------------------------------------------

    @Test
    void checksTakeAServerOutAndBringItBack() {
        health = new BackendHealth(checked(), null, log);
        health.checkFailed(0, now, "answered by 503");
        health.checkFailed(0, now, "answered by 503");
        health.checkPassed(0, now);
        health.checkFailed(0, now, "answered by 503");
        health.checkFailed(0, now, "answered by 503");
        assertThat(usable()).isTrue();
        health.checkFailed(0, now, "answered by 503");
        health.checkFailed(0, now, "answered by 503");
        assertThat(state()).isEqualTo(Health.DOWN);
        assertThat(usable()).isFalse();

        now += 30 * SECOND;
        health.connected(0, now);
        assertThat(usable()).as("a connect is less than what a check asks for").isFalse();
        health.checkPassed(0, now);
        assertThat(usable()).isFalse();
        health.checkPassed(0, now);
        health.checkPassed(0, now);
        assertThat(usable()).isTrue();
        assertThat(health.standing().share(0, now + 5 * SECOND)).isEqualTo(0.5);
        assertThat(lines)
                .containsExactly(
                        "WARN backend web: server 192.0.2.1:80 is down: 3 checks in a row failed, the last:"
                                + " answered by 503",
                        "INFO backend web: server 192.0.2.1:80 is up again after 30s: 2 checks in a row passed");
    }

    @Test
    void checksThatPassEndAnEjection() {
        health = new BackendHealth(checked(), null, log);
        health.checkPassed(0, now);
        health.checkPassed(0, now);
        fail(3);
        health.checkPassed(0, now);
        assertThat(usable()).as("one check").isFalse();
        health.checkPassed(0, now);
        assertThat(usable()).isTrue();
    }

    // --- another configuration --------------------------------------------------------------------------------------

    @Test
    void whatWasFoundOutOutlivesAReload() {
        health = new BackendHealth(checked(), null, log);
        for (int i = 0; i < 3; i++) {
            health.checkFailed(0, now, "answered by 503");
            health.connectFailed(1, now, "refused");
        }
        BackendConfig turned =
                Copies.of(checked()).servers(List.of(SECOND_SERVER, FIRST)).build();
        BackendHealth after = new BackendHealth(turned, health, log);
        assertThat(after.statuses(now)).extracting(ServerStatus::health).containsExactly(Health.EJECTED, Health.DOWN);

        BackendHealth unchecked =
                new BackendHealth(Copies.of(turned).health(null).eject(null).build(), health, log);
        assertThat(unchecked.statuses(now)).extracting(ServerStatus::health).containsOnly(Health.UP);
    }

    private static BackendConfig checked() {
        return Copies.of(CONFIG).health(HealthConfig.DEFAULT).build();
    }

    private void fail(int times) {
        for (int i = 0; i < times; i++) {
            health.connectFailed(0, now, "refused");
        }
    }

    private boolean usable() {
        return health.standing().isUsable(0, now);
    }

    private Health state() {
        return health.statuses(now).getFirst().health();
    }
}
