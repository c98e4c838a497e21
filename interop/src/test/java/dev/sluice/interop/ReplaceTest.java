package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Backend;
import dev.sluice.interop.fixture.GatewayProcess;
import dev.sluice.interop.fixture.GatewaySetup;
import dev.sluice.interop.fixture.GatewayTest;
import dev.sluice.interop.fixture.Sluice;
import dev.sluice.interop.fixture.TlsClient;
import dev.sluice.testkit.ForeignResult;
import dev.sluice.testkit.RunningProgram;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code sluice gateway --replace}: processes take each other's place while clients come and go. */
class ReplaceTest extends GatewayTest {
    private static final int CLIENTS = 3;
    private static final int BEFORE = 50;

    @TempDir
    private Path directory = Path.of("");

    private GatewaySetup setup(Backend backend) {
        return GatewaySetup.before(backend, transport)
                .with("admin: unix:" + directory.resolve("admin.sock"))
                .with("loops: 2");
    }

    @Test
    @SuppressWarnings("try") // the open connection ends while others go on
    void noConnectionIsRefusedAndTheOldOneServesWhatItHas() throws Exception {
        Backend backend = backend(Backend.echoing());
        GatewayProcess old = gateway(setup(backend));
        AtomicBoolean done = new AtomicBoolean();
        AtomicInteger served = new AtomicInteger();
        try (SSLSocket open = TlsClient.connect(old.port());
                ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<?>> failures = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                failures.add(clients.submit(() -> comesAndGoes(old.port(), done, served)));
            }
            await(served, BEFORE);

            GatewayProcess next = gateway(setup(backend).argument("--replace"));

            assertThat(next.port()).isEqualTo(old.port());
            Waiting.until(LONG, () -> old.log().contains("draining: "), old::log);
            exchange(open);
            await(served, served.get() + BEFORE);
            open.close();
            ForeignResult result = old.program().awaitExit(LONG);
            assertThat(result.exitCode()).as(result.toString()).isZero();
            await(served, served.get() + BEFORE);
            done.set(true);
            for (Future<?> failure : failures) {
                failure.get();
            }
            assertThat(next.log()).contains("the replaced gateway drains");
        } finally {
            done.set(true);
        }
    }

    /** Somebody starts it a second time: what runs goes on, and can still be replaced. */
    @Test
    void aSecondStartWithoutReplaceTouchesNothing() throws IOException {
        Backend backend = backend(Backend.echoing());
        GatewayProcess running = gateway(setup(backend));
        Path admin = directory.resolve("admin.sock");

        ForeignResult second = Sluice.command(
                        "gateway", "--config", running.config().toString())
                .run();
        assertThat(second.exitCode()).as(second.toString()).isEqualTo(75);

        ForeignResult asked =
                Sluice.command("certificates", "--admin", admin.toString()).run();
        assertThat(asked.exitCode()).as(asked.toString()).isZero();
        GatewayProcess next = gateway(setup(backend).argument("--replace"));
        assertThat(next.port()).isEqualTo(running.port());
        assertThat(running.program().awaitExit(LONG).exitCode()).isZero();
        assertThat(admin).exists();
    }

    /** The old one serves until the new one is warm. */
    @Test
    void takesTheSocketsWhenItIsWarm() {
        Backend backend = backend(Backend.echoing());
        GatewayProcess old = gateway(setup(backend));
        GatewayProcess next = gateway(setup(backend).argument("--replace").warmingUp());
        assertThat(old.program().awaitExit(LONG).exitCode()).isZero();
        assertThat(next.log().indexOf("warmed up by "))
                .as(next.log())
                .isBetween(0, next.log().indexOf("listening on "));
    }

    /** The old one goes on as if nobody had come. */
    @Test
    void aSignalWhileItWarmsUpEndsTheNewOneOnly() throws IOException {
        Backend backend = backend(Backend.echoing());
        GatewayProcess old = gateway(setup(backend));
        Path config = Files.writeString(
                directory.resolve("next.yaml"), setup(backend).warmingUp().yaml());
        try (RunningProgram next = Sluice.command("gateway", "--replace", "--config", config.toString())
                .start()) {
            next.awaitOutput("warming up; the running gateway serves meanwhile", LONG);
            next.terminate();
            ForeignResult result = next.awaitExit(LONG);
            assertThat(result.exitCode()).as(result.toString()).isZero();
            assertThat(result.errors()).contains("the running gateway was not replaced");
        }
        assertThat(old.log()).doesNotContain("hot restart: passed");
        try (SSLSocket socket = TlsClient.connect(old.port())) {
            exchange(socket);
        }
    }

    /** Threads that the process shares, such as the carriers of virtual threads, would keep that priority for good. */
    @Test
    void aWarmUpLeavesNoThreadAtItsPriority() throws IOException {
        Backend backend = backend(Backend.echoing());
        GatewayProcess old = gateway(setup(backend));
        GatewayProcess gateway = gateway(setup(backend).argument("--replace").warmingUp());
        assertThat(old.program().awaitExit(LONG).exitCode()).isZero();
        ForeignResult asked = Sluice.command(
                        "certificates",
                        "--admin",
                        directory.resolve("admin.sock").toString())
                .run();
        assertThat(asked.exitCode()).as(asked.toString()).isZero();
        Waiting.until(LONG, () -> gateway.niceThreads().isEmpty(), () -> "still nice: " + gateway.niceThreads());
        assertThat(gateway.log()).contains("warmed up by ");
    }

    private static Object comesAndGoes(int port, AtomicBoolean done, AtomicInteger served) throws IOException {
        while (!done.get()) {
            try (SSLSocket socket = TlsClient.connect(port)) {
                exchange(socket);
            }
            served.incrementAndGet();
        }
        return served;
    }

    private static void exchange(SSLSocket socket) throws IOException {
        socket.getOutputStream().write('x');
        assertThat(socket.getInputStream().read()).isEqualTo('x');
    }

    private static void await(AtomicInteger served, int count) {
        Waiting.until(LONG, () -> served.get() >= count, () -> served + " served, and not " + count);
    }

    @Test
    void whereThereIsNothingToReplaceItJustStarts() {
        GatewayProcess gateway = gateway(setup(backend(Backend.echoing())).argument("--replace"));

        assertThat(gateway.log()).contains("nothing to replace: nobody listens on " + directory.resolve("admin.sock"));
    }
}
