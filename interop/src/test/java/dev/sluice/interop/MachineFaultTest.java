package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.interop.fixture.Backend;
import dev.sluice.interop.fixture.GatewayProcess;
import dev.sluice.interop.fixture.GatewaySetup;
import dev.sluice.interop.fixture.GatewayTest;
import dev.sluice.interop.fixture.HttpBackend;
import dev.sluice.interop.fixture.SessionClient;
import dev.sluice.interop.fixture.Sluice;
import dev.sluice.interop.fixture.SmallDisk;
import dev.sluice.interop.fixture.TlsClient;
import dev.sluice.interop.fixture.Transport;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.RunningProgram;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults of the machine: a process that is stopped or killed at a bad moment, a full disk, a clock that is set. */
class MachineFaultTest extends GatewayTest {
    private static final Duration STOPPED = Duration.ofMillis(2_500);

    @TempDir
    private Path directory = Path.of("");

    private GatewaySetup setup(Backend backend) {
        return GatewaySetup.before(backend, transport).with("admin: unix:" + directory.resolve("admin.sock"));
    }

    /** Bytes that arrived meanwhile are served, although every time limit of the gateway is over by the clock. */
    @Test
    void aGatewayThatWasStoppedServesWhatArrivedMeanwhile() throws Exception {
        GatewayProcess gateway =
                gateway(setup(backend(Backend.echoing())).with("limits: {handshake-timeout: 2s, idle-timeout: 2s}"));
        byte[] hello = TlsClient.clientHello();
        try (SSLSocket open = TlsClient.connect(gateway.port());
                Socket shaking = TlsClient.raw(gateway.port())) {
            exchange(open);
            shaking.getOutputStream().write(hello, 0, hello.length / 2);

            gateway.program().suspend();
            open.getOutputStream().write('s');
            shaking.getOutputStream().write(hello, hello.length / 2, hello.length - hello.length / 2);
            try (Socket waiting = TlsClient.raw(gateway.port())) { // the kernel accepts
                TimeUnit.MILLISECONDS.sleep(STOPPED.toMillis());
                gateway.program().resume();

                assertThat(open.getInputStream().read()).isEqualTo('s');
                assertThat(shaking.getInputStream().read())
                        .as("a handshake record")
                        .isEqualTo(0x16);
                try (SSLSocket served = TlsClient.over(waiting)) {
                    exchange(served);
                }
            }
        }
    }

    /** The next start finds nobody at the sockets that are left, and takes their place. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aGatewayThatIsKilledGivesWayToTheNextStart(boolean replace) throws IOException {
        Backend backend = backend(Backend.echoing());
        gateway(setup(backend)).close();

        GatewaySetup setup = setup(backend);
        GatewayProcess next = gateway(replace ? setup.argument("--replace") : setup);

        try (SSLSocket socket = TlsClient.connect(next.port())) {
            exchange(socket);
        }
    }

    /** Nobody had been promised anything: the old one has its sockets still, and another may replace it. */
    @Test
    void aNewProcessThatIsKilledBeforeItTakesOverChangesNothing() throws IOException {
        Backend backend = backend(Backend.echoing());
        GatewayProcess old = gateway(setup(backend));
        Path config = Files.writeString(
                directory.resolve("next.yaml"), setup(backend).warmingUp().yaml());
        try (SSLSocket open = TlsClient.connect(old.port())) {
            exchange(open);
            try (RunningProgram next = Sluice.command("gateway", "--replace", "--config", config.toString())
                    .start()) {
                next.awaitOutput("warming up; the running gateway serves meanwhile", LONG);
            } // killed
            exchange(open);
            try (SSLSocket another = TlsClient.connect(old.port())) {
                exchange(another);
            }
        }
        assertThat(old.log()).doesNotContain("draining");

        GatewayProcess next = gateway(setup(backend).argument("--replace"));
        assertThat(next.port()).isEqualTo(old.port());
        assertThat(old.program().awaitExit(LONG).exitCode()).isZero();
    }

    /** The connections that it had are lost; the new process has never depended on it. */
    @Test
    void anOldProcessThatIsKilledWhileItDrainsTakesOnlyItsOwnConnections() throws IOException {
        GatewayProcess old = gateway(setup(backend(Backend.echoing())));
        Backend ofNext = backend(Backend.echoing());
        try (SSLSocket lost = TlsClient.connect(old.port())) {
            exchange(lost);
            GatewayProcess next = gateway(setup(ofNext).argument("--replace"));
            Waiting.until(LONG, () -> servedBy(ofNext, next), next::log);
            try (SSLSocket kept = TlsClient.connect(next.port())) {
                exchange(kept);
                assertThat(ofNext.open()).isEqualTo(1);
                old.close();
                exchange(kept);
            }
        }
    }

    /** The old process may still accept a connection after the new one has begun. */
    private static boolean servedBy(Backend backend, GatewayProcess gateway) {
        int before = backend.accepted();
        session(gateway);
        return backend.accepted() > before && backend.open() == 0;
    }

    /** The old one drains already, so nobody listens until the next start. That one starts as after any crash. */
    @Test
    void aNewProcessThatIsKilledAfterItTookOverIsReplacedByTheNextStart() throws IOException {
        Backend backend = backend(Backend.echoing());
        GatewayProcess old = gateway(setup(backend));
        try (SSLSocket open = TlsClient.connect(old.port())) {
            exchange(open);
            GatewayProcess killed = gateway(setup(backend).argument("--replace"));
            Waiting.until(LONG, () -> old.log().contains("draining: "), old::log);
            killed.close();

            GatewayProcess next = gateway(setup(backend).argument("--replace"));

            exchange(open); // with the old one
            try (SSLSocket socket = TlsClient.connect(next.port())) {
                exchange(socket);
            }
        }
        assertThat(old.program().awaitExit(LONG).exitCode()).isZero();
    }

    /**
     * Nobody notices: clients are served and resume, the file of the ticket keys stays whole, and both files go on when
     * there is room again.
     */
    @Test
    void aFullDiskIsReportedAndDisturbsNobody() throws IOException {
        assumeTrue(transport == Transport.EPOLL, "the transport has no part in it");
        ForeignProgram mounting = SmallDisk.mounting();
        Path disk = Files.createDirectory(directory.resolve("disk"));
        GatewayProcess gateway = gateway(GatewaySetup.before(backend(Backend.echoing()), transport)
                .with("tickets: {store: \"local:" + disk.resolve("tickets") + "\", rotate: 1s, keep: 10s}")
                .with("access-log: {file: " + disk.resolve("access.log") + "}")
                .by(mounting, SmallDisk.at(disk)));
        Path seen = SmallDisk.of(gateway.program().pid(), disk);
        Path log = seen.resolve("access.log");
        session(gateway);
        Waiting.until(LONG, () -> size(log) > 0, () -> "no line in " + log);

        SmallDisk.fill(seen.resolve("fill"));
        Waiting.until(
                LONG,
                () -> {
                    session(gateway);
                    return gateway.log().contains("the access log cannot be written")
                            && gateway.log().contains("ticket keys cannot be written");
                },
                gateway::log);
        assertThat(gateway.log()).contains("No space left on device");
        assertKeysAreWhole(seen.resolve("tickets"));

        Files.delete(seen.resolve("fill"));
        long full = size(log);
        Waiting.until(
                LONG,
                () -> {
                    session(gateway);
                    return size(log) > full
                            && gateway.log().contains("the access log is written again")
                            && gateway.log().contains("ticket keys are kept in");
                },
                gateway::log);
        assertThat(gateway.stop().errors()).as("all but the first resumed").contains(", 1 full and ");
    }

    /** The file that could not be replaced is what another gateway starts with. */
    private void assertKeysAreWhole(Path file) throws IOException {
        Path kept = Files.copy(file, directory.resolve("kept"), StandardCopyOption.COPY_ATTRIBUTES);
        GatewayProcess next = gateway(GatewaySetup.before(backend(Backend.echoing()), transport)
                .with("tickets: {store: \"local:" + kept + "\"}"));
        assertThat(next.log()).doesNotContain("new keys are made", "WARN");
    }

    /** Clients that resume, so that a handshake depends on ticket keys. */
    private static void session(GatewayProcess gateway) {
        try (SSLSocket socket = TlsClient.connect(gateway.port())) {
            exchange(socket);
        } catch (IOException e) {
            throw new AssertionError("a client was not served: " + gateway.log(), e);
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            return 0;
        }
    }

    /** Connections and time limits go by the monotonic clock; tickets from before may be lost, those after are good. */
    @ParameterizedTest
    @ValueSource(strings = {"+2d", "-2d"})
    void aClockThatIsSetDisturbsNobody(String offset) throws IOException {
        assumeTrue(transport == Transport.EPOLL, "the transport has no part in it");
        ForeignProgram.required("faketime", "faketime");
        Path clock = Files.writeString(directory.resolve("clock"), "+0");
        GatewayProcess gateway = gateway(setup(backend(HttpBackend.start()))
                .environment("LD_PRELOAD", library())
                .environment("FAKETIME_TIMESTAMP_FILE", clock.toString())
                .environment("FAKETIME_NO_CACHE", "1")
                .environment("FAKETIME_DONT_FAKE_MONOTONIC", "1"));
        try (SSLSocket open = TlsClient.connect(gateway.port())) {
            page(open);
            Files.writeString(clock, offset);
            page(open);
            assertResumes(gateway);
            page(open);
            Files.writeString(clock, "+0");
            assertResumes(gateway);
            page(open);
        }
    }

    private static String library() throws IOException {
        try (Stream<Path> found = Files.walk(Path.of("/usr/lib"), 3)) {
            return found.filter(file -> file.endsWith("faketime/libfaketimeMT.so.1"))
                    .findFirst()
                    .orElseThrow()
                    .toString();
        }
    }

    /** Keys that expired when the clock was set are replaced within seconds; until then handshakes are full ones. */
    private void assertResumes(GatewayProcess gateway) {
        Path session = directory.resolve("session");
        Waiting.until(
                LONG,
                () -> {
                    String first = SessionClient.get(gateway.port(), "-sess_out", session.toString());
                    assertThat(first).contains("200 OK");
                    return Files.exists(session)
                            && SessionClient.get(gateway.port(), "-sess_in", session.toString())
                                    .contains("Reused, TLSv1.3");
                },
                gateway::log);
        session.toFile().delete();
    }

    /** Gets a page of one byte, over a connection that stays open. */
    private static void page(SSLSocket socket) throws IOException {
        socket.getOutputStream()
                .write("GET /1 HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = socket.getInputStream().read();
            assertThat(next).as(head.toString()).isNotNegative();
            head.append((char) next);
        }
        assertThat(head).startsWith("HTTP/1.1 200");
        assertThat(socket.getInputStream().read()).isNotNegative();
    }

    private static void exchange(SSLSocket socket) throws IOException {
        socket.getOutputStream().write('x');
        assertThat(socket.getInputStream().read()).isEqualTo('x');
    }
}
