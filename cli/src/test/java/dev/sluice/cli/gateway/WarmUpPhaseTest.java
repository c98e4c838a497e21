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
import java.util.concurrent.atomic.AtomicInteger;
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
    void runsOnceInTheLifeOfAProcess() throws Exception {
        try (DemoGateway demo = DemoGateway.prepare("127.0.0.1:0", directory);
                OpenSslCheck check = new OpenSslCheck();
                Gateway gateway = Gateway.start(config(demo, HandshakePath.LIBSSL), GatewayLog.NONE, check)) {
            WarmUpPhase phase = phase(config(demo, HandshakePath.LIBSSL), new WarmUpLoad.Limits(20, LONG, LONG));
            phase.run();
            phase.runBeside(gateway, "");
            phase.end();
            assertThat(lines).singleElement().asString().startsWith("INFO warmed up by 20 connections");
        }
    }

    /** The limit is beyond what a clock can count to. */
    @Test
    void aFailureIsOneWarningAndLeavesNothingBehind() throws Exception {
        try (DemoGateway demo = DemoGateway.prepare("127.0.0.1:0", directory)) {
            GatewayConfig config = config(demo, HandshakePath.LIBSSL);
            WarmUpLoad.Limits limits = new WarmUpLoad.Limits(20, LONG, Duration.ofSeconds(Long.MAX_VALUE));
            warmUp(config, limits); // what is loaded once stays
            Map<String, Ledger.Balance> before = Ledger.process().balances();
            warmUp(config, limits);
            assertThat(lines).hasSize(2).allMatch(line -> line.startsWith("WARN warm-up failed ("));
            assertThat(Ledger.process().leaksSince(before)).isEmpty();
        }
    }

    /** A signal does not wait for it. */
    @Test
    void endsWhenTheGatewayDoes() throws Exception {
        try (DemoGateway demo = DemoGateway.prepare("127.0.0.1:0", directory);
                OpenSslCheck check = new OpenSslCheck();
                Gateway gateway = Gateway.start(config(demo, HandshakePath.LIBSSL), GatewayLog.NONE, check)) {
            WarmUpPhase phase = phase(config(demo, HandshakePath.LIBSSL), new WarmUpLoad.Limits(ENDLESS, LONG, LONG));
            phase.runBeside(gateway, "");
            phase.end();
            assertThat(lines).isEmpty();
        }
    }

    @Test
    void endsBeforeAHotRestartWhenASignalComes() throws Exception {
        try (DemoGateway demo = DemoGateway.prepare("127.0.0.1:0", directory)) {
            AtomicInteger asked = new AtomicInteger();
            WarmUpPhase phase = new WarmUpPhase(
                    config(demo, HandshakePath.LIBSSL),
                    ServiceManager.NONE,
                    () -> asked.incrementAndGet() > 5,
                    log,
                    new WarmUpLoad.Limits(ENDLESS, LONG, LONG));
            phase.run();
            assertThat(lines).isEmpty();
            assertThat(asked).hasValueGreaterThan(5);
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
        WarmUpPhase phase = phase(config, limits);
        phase.run();
        phase.end();
    }

    private WarmUpPhase phase(GatewayConfig config, WarmUpLoad.Limits limits) {
        return new WarmUpPhase(config, ServiceManager.NONE, () -> false, log, limits);
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
