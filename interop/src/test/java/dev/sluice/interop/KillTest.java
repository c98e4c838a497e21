package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Backend;
import dev.sluice.interop.fixture.GatewayProcess;
import dev.sluice.interop.fixture.GatewaySetup;
import dev.sluice.interop.fixture.HttpBackend;
import dev.sluice.interop.fixture.Link;
import dev.sluice.interop.fixture.Link.Direction;
import dev.sluice.interop.fixture.Link.Moment;
import dev.sluice.interop.fixture.Root;
import dev.sluice.interop.fixture.SessionClient;
import dev.sluice.interop.fixture.Sluice;
import dev.sluice.interop.fixture.Transport;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.RedisServer;
import dev.sluice.testkit.RunningProgram;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A gateway that is killed (SIGKILL) in the midst of a change of ticket keys, or of a reload. */
class KillTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    /** A key that is no longer used is shown for a while. */
    private static final Pattern KEY =
            Pattern.compile("^([0-9a-f]{16}) +\\d+ +(next|current|previous) ", Pattern.MULTILINE);

    private final Backend backend = HttpBackend.start();
    private final List<AutoCloseable> open = new ArrayList<>();

    @TempDir
    private Path directory = Path.of("");

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
        backend.close();
    }

    private <T extends AutoCloseable> T closing(T closed) {
        open.add(closed);
        return closed;
    }

    private GatewayProcess start(GatewaySetup setup) {
        return closing(GatewayProcess.start(setup));
    }

    private GatewaySetup setup(String node) {
        return GatewaySetup.before(backend, Transport.EPOLL)
                .with("admin: " + admin(node))
                .with("loops: 1");
    }

    private String admin(String node) {
        return "unix:" + directory.resolve(node + ".sock");
    }

    // --- ticket keys ------------------------------------------------------------------------------------------------

    /** In each case the node that comes has what the others have, and sessions from before are resumed. */
    @ParameterizedTest
    @EnumSource(Moment.class)
    void aRotationThatIsCutOffAtTheStoreLeavesTheFleetInAgreement(Moment moment) throws IOException {
        RedisServer redis = closing(RedisServer.start());
        int port = URI.create(redis.url()).getPort();
        Link link = closing(Link.to(port));
        GatewayProcess killed = start(node("killed", link.port()));
        start(node("other", port));
        Waiting.until(LONG, () -> keys("killed").equals(keys("other")), () -> keys("killed") + "\n" + keys("other"));
        List<String> before = keys("other");
        Path session = session(killed);

        link.cutAt("EVAL", moment);
        RunningProgram rotation = closing(
                Sluice.command("tickets", "rotate", "--admin", admin("killed")).start());
        Direction waiting = moment == Moment.BEFORE ? Direction.TO_SERVER : Direction.TO_CLIENT;
        Waiting.until(LONG, () -> link.holds(waiting), rotation::toString);
        killed.close();
        link.close();

        GatewayProcess next = start(node("killed", port));
        Waiting.until(
                LONG,
                () -> keys("killed").equals(keys("other")) && keys("other").equals(before) == (moment == Moment.BEFORE),
                () -> before + "\n" + keys("killed") + "\n" + keys("other"));
        assertThat(next.log()).doesNotContain("WARN");
        assertResumes(session, next);
    }

    private GatewaySetup node(String name, int redisPort) throws IOException {
        Path fleetKey = directory.resolve("fleet.key");
        if (!Files.exists(fleetKey)) {
            Files.write(fleetKey, new byte[32]);
        }
        return setup(name)
                .with("tickets: {rotate: 1h, keep: 2h, poll: 200ms, fleet-key: " + fleetKey + ", cache: "
                        + directory.resolve(name + ".keys") + ", store: \"redis://127.0.0.1:" + redisPort + "\"}");
    }

    private List<String> keys(String node) {
        return KEY.matcher(Sluice.command("tickets", "show", "--admin", admin(node))
                        .run()
                        .expectSuccess()
                        .output())
                .results()
                .map(key -> key.group(1))
                .toList();
    }

    /** The file that was written is left beside the one that it was to replace: whole, or cut off at some byte. */
    @ParameterizedTest
    @ValueSource(ints = {0, 50, 100})
    void aFileOfTicketKeysThatWasNotPutInPlaceIsLeftOut(int percentWritten) throws IOException {
        Path file = directory.resolve("tickets");
        GatewaySetup setup = setup("node").with("tickets: {store: \"local:" + file + "\", rotate: 1h, keep: 2h}");
        GatewayProcess killed = start(setup);
        Path session = session(killed);
        killed.close();
        byte[] content = Files.readAllBytes(file);
        Path fresh = directory.resolve("tickets.new");
        Files.write(fresh, Arrays.copyOf(content, content.length * percentWritten / 100));
        Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-------"));

        GatewayProcess next = start(setup);
        assertThat(next.log()).doesNotContain("WARN");
        assertResumes(session, next);

        Sluice.command("tickets", "rotate", "--admin", admin("node")).run().expectSuccess();
        assertThat(fresh).doesNotExist();
        Path later = session(next);
        next.close();
        assertResumes(later, start(setup));
    }

    private Path session(GatewayProcess gateway) throws IOException {
        Path session = Files.createTempFile(directory, "session", "");
        assertThat(SessionClient.get(gateway.port(), "-sess_out", session.toString()))
                .contains("200 OK");
        return session;
    }

    private static void assertResumes(Path session, GatewayProcess gateway) {
        assertThat(SessionClient.get(gateway.port(), "-sess_in", session.toString()))
                .contains("200 OK", "Reused, TLSv1.3");
    }

    // --- reload -----------------------------------------------------------------------------------------------------

    /** The system call of a reload at which the process is killed. */
    enum Call {
        READS_CONFIGURATION("openat", 1),
        READS_KEY("openat", 1),
        BINDS("bind", 1),
        LISTENS("listen", 1),
        WAKES_A_LOOP("write", 1),
        WAKES_A_LOOP_AGAIN("write", 3),
        OPENS_ACCESS_LOG("openat", 1);

        private final String name;
        private final int time;

        Call(String name, int time) {
            this.name = name;
            this.time = time;
        }
    }

    /** The next start has the new configuration, and takes the place of what is left of the one before. */
    @ParameterizedTest
    @EnumSource(Call.class)
    void aReloadThatIsCutOffIsMadeGoodByTheNextStart(Call call) throws IOException {
        Root.require("trace a process");
        GatewayProcess killed = start(setup("node").listener("alpn: [before]"));
        GatewaySetup changed = setup("node")
                .listener("alpn: [after]")
                .furtherListener("alpn: [further]")
                .with("access-log: {file: " + accessLog() + "}");
        Files.writeString(killed.config(), changed.yaml());
        killAt(call, killed);

        GatewayProcess next = start(changed);
        assertThat(next.log()).doesNotContain("WARN");
        assertThat(SessionClient.get(next.port(), "-alpn", "after")).contains("200 OK", "ALPN protocol: after");
    }

    private void killAt(Call call, GatewayProcess gateway) {
        List<String> line = new ArrayList<>(List.of(
                "-f", "-o", "/dev/null", "-p", Long.toString(gateway.program().pid())));
        line.addAll(
                List.of("-e", "trace=" + call.name, "-e", "inject=" + call.name + ":signal=KILL:when=" + call.time));
        fileOf(call, gateway).ifPresent(file -> line.addAll(List.of("-P", file.toString())));
        RunningProgram strace = closing(ForeignProgram.required("strace", "strace")
                .command(line.toArray(String[]::new))
                .start());
        strace.awaitOutput(" attached", LONG);
        closing(Sluice.command("reload", "--admin", admin("node")).start());
        gateway.program().awaitExit(LONG);
    }

    private Optional<Path> fileOf(Call call, GatewayProcess gateway) {
        return switch (call) {
            case READS_CONFIGURATION -> Optional.of(gateway.config());
            case READS_KEY -> Optional.of(TestCertificates.shared().server().keyFile());
            case OPENS_ACCESS_LOG -> Optional.of(accessLog());
            case BINDS, LISTENS, WAKES_A_LOOP, WAKES_A_LOOP_AGAIN -> Optional.empty();
        };
    }

    private Path accessLog() {
        return directory.resolve("access.log");
    }
}
