package dev.sluice.cli.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.demo.DemoGateway;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.ListenerConfig;
import dev.sluice.config.model.TransportChoice;
import dev.sluice.config.model.WarmUpMode;
import dev.sluice.gateway.Gateway;
import dev.sluice.gateway.certificate.OpenSslCheck;
import dev.sluice.gateway.log.GatewayLog;
import dev.sluice.memory.Ledger;
import dev.sluice.tls.context.HandshakePath;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The warm-up of a gateway's process: its bounds, its end, and that it leaves nothing behind. */
@Timeout(120)
class WarmUpPhaseTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final int ENDLESS = Integer.MAX_VALUE;

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final GatewayLog log = (level, line) -> lines.add(level + " " + line);

    @TempDir
    private Path directory = Path.of("");

    @ParameterizedTest
    @EnumSource(HandshakePath.class)
    void endsAtTheNumberOfConnectionsAndLeavesNothingBehind(HandshakePath path) throws Exception {
        try (DemoGateway demo = DemoGateway.prepare("127.0.0.1:0", directory)) {
            GatewayConfig config = config(demo, path);
            warmUp(config, new WarmUpLoad.Limits(20, LONG, LONG)); // what is loaded once stays
            Map<String, Ledger.Balance> before = Ledger.process().balances();
            warmUp(config, new WarmUpLoad.Limits(40, LONG, LONG));
            assertThat(lines).hasSize(2);
            assertThat(lines.getLast()).startsWith("INFO warmed up by 40 connections with itself in ");
            assertThat(Ledger.process().leaksSince(before)).isEmpty();
        }
    }

    @Test
    void endsAtTheLimitOfTime() throws Exception {
        try (DemoGateway demo = DemoGateway.prepare("127.0.0.1:0", directory)) {
            warmUp(config(demo, HandshakePath.LIBSSL), new WarmUpLoad.Limits(ENDLESS, LONG, Duration.ZERO));
            assertThat(lines).singleElement().asString().contains("warmed up by 0 connections");
        }
    }

    @Test
    void endsAtTheLimitOfCpuTime() throws Exception {
        try (DemoGateway demo = DemoGateway.prepare("127.0.0.1:0", directory)) {
            warmUp(config(demo, HandshakePath.LIBSSL), new WarmUpLoad.Limits(ENDLESS, Duration.ofMillis(300), LONG));
            assertThat(lines).singleElement().asString().startsWith("INFO warmed up by ");
        }
    }

    @Test
    void aGatewayIsReadyWhenItIsOver() throws Exception {
        try (DemoGateway demo = DemoGateway.prepare("127.0.0.1:0", directory);
                OpenSslCheck check = new OpenSslCheck();
                Gateway gateway = Gateway.start(config(demo, HandshakePath.LIBSSL), GatewayLog.NONE, check)) {
            CountDownLatch ready = new CountDownLatch(1);
            WarmUpPhase phase =
                    new WarmUpPhase(config(demo, HandshakePath.LIBSSL), log, new WarmUpLoad.Limits(20, LONG, LONG));
            phase.runBeside(gateway, ready::countDown);
            assertThat(ready.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(lines).hasSize(1);
            phase.end();
        }
    }

    /** A signal does not wait for it, and an ending gateway is not reported as ready. */
    @Test
    void endsWhenTheGatewayDoes() throws Exception {
        try (DemoGateway demo = DemoGateway.prepare("127.0.0.1:0", directory);
                OpenSslCheck check = new OpenSslCheck();
                Gateway gateway = Gateway.start(config(demo, HandshakePath.LIBSSL), GatewayLog.NONE, check)) {
            CountDownLatch ready = new CountDownLatch(1);
            WarmUpPhase phase = new WarmUpPhase(
                    config(demo, HandshakePath.LIBSSL), log, new WarmUpLoad.Limits(ENDLESS, LONG, LONG));
            phase.runBeside(gateway, ready::countDown);
            phase.end();
            assertThat(ready.getCount()).isEqualTo(1);
        }
    }

    @Test
    void isNothingWhenSwitchedOff() throws Exception {
        try (DemoGateway demo = DemoGateway.prepare("127.0.0.1:0", directory)) {
            GatewayConfig off =
                    config(demo, HandshakePath.LIBSSL).forWarmUp(demo.config().listeners(), TransportChoice.AUTO);
            assertThat(off.warmUp()).isEqualTo(WarmUpMode.OFF);
            warmUp(off, WarmUpLoad.Limits.DEFAULT);
            assertThat(lines).isEmpty();
        }
    }

    private void warmUp(GatewayConfig config, WarmUpLoad.Limits limits) throws InterruptedException {
        WarmUpPhase phase = new WarmUpPhase(config, log, limits);
        phase.run();
        phase.end();
    }

    private static GatewayConfig config(DemoGateway demo, HandshakePath path) {
        ListenerConfig listener = demo.config().listeners().getFirst();
        GatewayConfig config = demo.config();
        return new GatewayConfig(
                List.of(listener.withTls(listener.tls().withHandshake(path))),
                config.certificates(),
                config.backends(),
                config.limits(),
                1,
                TransportChoice.AUTO,
                config.tickets(),
                config.drain());
    }
}
