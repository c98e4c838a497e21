package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Backend;
import dev.sluice.interop.fixture.GatewayProcess;
import dev.sluice.interop.fixture.GatewaySetup;
import dev.sluice.interop.fixture.Sluice;
import dev.sluice.interop.fixture.TlsClient;
import dev.sluice.interop.fixture.Transport;
import dev.sluice.testkit.ForeignCommand;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import dev.sluice.testkit.FreePort;
import dev.sluice.testkit.RunningProgram;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of the messages between systemd and a gateway: readiness, reloads, the end, life; and sockets that systemd has
 * opened.
 */
class ServiceManagerTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    /** A service manager's ear: prints each message, its lines joined, with its own monotonic time in microseconds. */
    private static final String LISTENER = """
            import socket, sys, time
            name = sys.argv[1]
            ear = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            ear.bind("\\0" + name[1:] if name.startswith("@") else name)
            print("listening", flush=True)
            while True:
                text = ear.recv(4096).decode().replace("\\n", " | ")
                print(time.monotonic_ns() // 1000, text, flush=True)
            """;

    private static final int POLL_MILLIS = 50;
    private static final Pattern RELOADING = Pattern.compile("(\\d+) RELOADING=1 \\| MONOTONIC_USEC=(\\d+) ");

    @TempDir
    private Path directory = Path.of("");

    private final Backend backend = Backend.echoing();

    @AfterEach
    void close() {
        backend.close();
    }

    private RunningProgram listener(String name) {
        RunningProgram listener = ForeignProgram.required("python3", "python3")
                .command("-c", LISTENER, name)
                .start();
        listener.awaitOutput("listening", LONG);
        return listener;
    }

    @ParameterizedTest
    @ValueSource(strings = {"path", "@abstract"})
    void theManagerIsToldOfEachStepOfItsLife(String kind) throws IOException {
        String name = kind.equals("path")
                ? directory.resolve("notify").toString()
                : "@sluice-test-" + ProcessHandle.current().pid();
        try (RunningProgram manager = listener(name);
                GatewayProcess gateway = GatewayProcess.start(GatewaySetup.before(backend, Transport.EPOLL)
                        .environment("NOTIFY_SOCKET", name)
                        .environment("WATCHDOG_USEC", "500000"))) {
            manager.awaitOutput("READY=1 | STATUS=serving the configuration of " + gateway.config(), LONG);
            manager.awaitOutput("WATCHDOG=1", LONG);

            gateway.program().hangUp();
            Waiting.until(LONG, () -> count(manager, "READY=1") == 2, manager::output);
            assertReloadingWasToldWithItsTime(manager);

            Files.writeString(gateway.config(), "nonsense: 1\n");
            gateway.program().hangUp();
            manager.awaitOutput("STATUS=serving; not reloaded, see the log", LONG);

            ForeignResult result = gateway.stop();
            assertThat(result.exitCode()).as(result.toString()).isZero();
            manager.awaitOutput("STOPPING=1 | STATUS=draining 0 connections for 30s", LONG);
        }
    }

    @Test
    void readinessIsReportedAfterTheWarmUp() throws Exception {
        String name = directory.resolve("notify").toString();
        URI readiness = URI.create("http://127.0.0.1:" + FreePort.onLoopback() + "/readyz");
        try (RunningProgram manager = listener(name);
                HttpClient client = HttpClient.newHttpClient();
                GatewayProcess gateway = GatewayProcess.start(GatewaySetup.before(backend, Transport.EPOLL)
                        .with("admin: {address: \"" + readiness.getAuthority() + "\"}")
                        .warmingUp()
                        .environment("NOTIFY_SOCKET", name))) {
            manager.awaitOutput("STATUS=warming up", LONG);
            gateway.program().hangUp(); // the end of a reload is no readiness either
            HttpRequest request = HttpRequest.newBuilder(readiness).build();
            HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
            while (answer.statusCode() != 200) {
                assertThat(answer.statusCode()).isEqualTo(503);
                assertThat(answer.body().strip()).isEqualTo("warming");
                answer = client.send(request, BodyHandlers.ofString());
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
            assertThat(gateway.log()).contains("warmed up by ");
            manager.awaitOutput("READY=1", LONG);
            assertThat(manager.output().indexOf("STATUS=warming up"))
                    .isLessThan(manager.output().indexOf("READY=1"));
        }
    }

    @Test
    void anEndWhileItWarmsUpIsNotFollowedByReadiness() {
        String name = directory.resolve("notify").toString();
        try (RunningProgram manager = listener(name);
                GatewayProcess gateway = GatewayProcess.start(GatewaySetup.before(backend, Transport.EPOLL)
                        .warmingUp()
                        .environment("NOTIFY_SOCKET", name))) {
            manager.awaitOutput("STATUS=warming up", LONG);
            ForeignResult result = gateway.stop();
            assertThat(result.exitCode()).as(result.toString()).isZero();
            manager.awaitOutput("STOPPING=1", LONG);
            String behind = manager.output().substring(manager.output().indexOf("STOPPING=1"));
            assertThat(behind).doesNotContain("READY=1");
        }
    }

    private static long count(RunningProgram manager, String message) {
        return manager.output()
                .lines()
                .filter(line -> line.contains(" " + message))
                .count();
    }

    /** Checks that the time sent is by the same clock as the manager's, and before the manager received it. */
    private static void assertReloadingWasToldWithItsTime(RunningProgram manager) {
        Matcher told = RELOADING.matcher(manager.output());
        assertThat(told.find()).as(manager.output()).isTrue();
        long heard = Long.parseLong(told.group(1));
        assertThat(Long.parseLong(told.group(2)))
                .isBetween(heard - Duration.ofMinutes(1).toMillis() * 1000, heard);
    }

    /** Another process's watchdog is not this one's. */
    @Test
    void aManagerThatIsGoneDisturbsNobody() {
        try (GatewayProcess gateway = GatewayProcess.start(GatewaySetup.before(backend, Transport.EPOLL)
                .environment("NOTIFY_SOCKET", directory.resolve("absent").toString())
                .environment("WATCHDOG_USEC", "1000")
                .environment("WATCHDOG_PID", "1"))) {
            assertThat(gateway.stop().exitCode()).isZero();
        }
    }

    /** A start has no time for what nobody has asked for. */
    @Test
    void aGatewayThatNobodyManagesLoadsNothingOfAllThis() throws IOException {
        Path loaded = directory.resolve("loaded");
        try (GatewayProcess gateway = GatewayProcess.start(
                GatewaySetup.before(backend, Transport.EPOLL).javaOption("-Xlog:class+load:file=" + loaded))) {
            assertThat(gateway.stop().exitCode()).isZero();
        }
        assertThat(Files.readAllLines(loaded))
                .anyMatch(line -> line.contains("dev.sluice.config.read.ConfigSource"))
                .noneMatch(line -> line.contains("dev.sluice.gateway.lint.")
                        || line.contains("gateway.alerts.AlertWatch")
                        || line.contains("gateway.config.AlertReader")
                        || line.contains("EffectiveYaml")
                        || line.contains("NotifySocket")
                        || line.contains("takeover.Takeover")
                        || line.contains("takeover.DescriptorSocket")
                        // But for the class that tells whether somebody records, which is asked every second.
                        || (line.contains(" jdk.jfr.") && !line.contains(" jdk.jfr.FlightRecorder "))
                        || line.contains("gateway.flight.FlightEvents")
                        || line.contains("gateway.accesslog.AccessLog ")
                        || line.contains(" picocli."));
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void socketsThatSystemdHasOpenedAreTakenByAddressAndByName(Transport transport) throws IOException {
        transport.require();
        int byAddress = FreePort.onLoopback();
        int byName = FreePort.onLoopback();
        String yaml = GatewaySetup.before(backend, transport)
                .furtherListener("socket: other")
                .with("loops: 2")
                .yaml()
                .replaceFirst("127.0.0.1:0", "127.0.0.1:" + byAddress);
        Path config = Files.writeString(directory.resolve("sluice.yaml"), yaml);
        try (RunningProgram gateway = activate(config, byAddress, byName).start()) {
            Waiting.until(LONG, () -> gateway.errors().contains("Listening on 127.0.0.1:" + byName), gateway::errors);
            assertEchoes(byAddress, gateway);
            assertEchoes(byName, gateway);
            assertThat(gateway.errors()).contains("listening on 127.0.0.1:" + byName);
            gateway.terminate();
            ForeignResult result = gateway.awaitExit(LONG);
            assertThat(result.exitCode()).as(result.toString()).isZero();
        }
    }

    /** It passes on little of the environment. */
    private ForeignCommand activate(Path config, int byAddress, int byName) {
        List<String> arguments = new ArrayList<>(List.of(
                "--listen=127.0.0.1:" + byAddress,
                "--listen=127.0.0.1:" + byName,
                "--fdname=one:other",
                "--setenv=SLUICE_BUILD=never",
                "--setenv=SLUICE_JAVA_HOME=" + System.getProperty("java.home"),
                "--setenv=HOME=" + directory));
        String openssl = System.getProperty("sluice.openssl", "");
        if (!openssl.isEmpty()) {
            arguments.add("--setenv=SLUICE_OPENSSL=" + openssl);
        }
        arguments.addAll(List.of(Sluice.home().resolve("sluice").toString(), "gateway", "--config", config.toString()));
        return ForeignProgram.required("systemd-socket-activate", "systemd").command(arguments.toArray(String[]::new));
    }

    /** The first connection waits in the socket's queue until the gateway is there: it is why that is started. */
    private static void assertEchoes(int port, RunningProgram gateway) throws IOException {
        try (Socket raw = TlsClient.raw(port);
                SSLSocket client = TlsClient.over(raw)) {
            client.getOutputStream().write('x');
            assertThat(client.getInputStream().read()).as(gateway.errors()).isEqualTo('x');
        }
    }

    /** Checks the units; systemd before 253 does not know notify-reload, and may complain about that line alone. */
    @ParameterizedTest
    @ValueSource(strings = {"sluice.service", "sluice.socket"})
    void systemdAcceptsTheUnits(String unit) throws IOException {
        Path units = Files.createDirectories(directory.resolve("units"));
        for (String name : new String[] {"sluice.service", "sluice.socket"}) {
            String text =
                    Files.readString(Sluice.home().resolve("deploy/systemd").resolve(name));
            Files.writeString(units.resolve(name), text.replace("/usr/bin/sluice", "/bin/true"));
        }
        ForeignResult result = ForeignProgram.required("systemd-analyze", "systemd")
                .command("verify", "--man=no", units.resolve(unit).toString())
                .with("SYSTEMD_LOG_LEVEL", "warning")
                .run();

        assertThat(result.errors()
                        .lines()
                        .filter(line -> line.contains("sluice"))
                        .filter(line -> !line.contains("notify-reload")))
                .as(result.toString())
                .isEmpty();
    }

    @Test
    void whatTheUnitFiltersLeavesIoUringToTheGateway() throws IOException {
        String unit = Files.readString(Sluice.home().resolve("deploy/systemd/sluice.service"));
        ForeignResult allowed = ForeignProgram.required("systemd-analyze", "systemd")
                .command("syscall-filter", "@system-service", "@aio", "@privileged")
                .run()
                .expectSuccess();

        assertThat(unit).contains("SystemCallFilter=io_uring_setup io_uring_enter io_uring_register");
        assertThat(allowed.output()).contains("io_uring_setup").contains("@aio");
    }
}
