package dev.sluice.cli.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Main;
import dev.sluice.cli.command.ExitCode;
import dev.sluice.testkit.ForeignCommand;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import dev.sluice.testkit.RunningProgram;
import dev.sluice.testkit.Waiting;
import dev.sluice.transfer.pairing.PairingCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands that transfer files, as processes of two machines: each has a state directory of its own. */
@Timeout(180)
class TransferCommandsTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    Path directory = Path.of("");

    private Path source = Path.of("");
    private Path target = Path.of("");

    @BeforeEach
    void makeDirectories() throws IOException {
        source = Files.createDirectory(directory.resolve("source"));
        target = Files.createDirectory(directory.resolve("target"));
    }

    @Test
    void sendsToWhoeverHasTheCode() throws IOException {
        write(source.resolve("photos/one.jpg"), 1_000_000);
        write(source.resolve("letter"), 10);
        try (RunningProgram sender = start("a", "send", source.toString(), "--listen", "127.0.0.1:0")) {
            List<String> line = lineToType(sender);
            ForeignResult receiver = run("b", with(line, "--into", target.toString()));

            assertThat(receiver.exitCode()).as(receiver.toString()).isEqualTo(ExitCode.OK);
            assertThat(receiver.output()).contains("Received 2 files, 977 KiB over the wire");
            ForeignResult sent = sender.awaitExit(LIMIT);
            assertThat(sent.exitCode()).as(sent.toString()).isEqualTo(ExitCode.OK);
            assertThat(sent.output()).contains("Sent 2 files");
        }
        assertThat(target.resolve("source/photos/one.jpg")).hasSameBinaryContentAs(source.resolve("photos/one.jpg"));
        assertThat(target.resolve("source/letter")).hasSameBinaryContentAs(source.resolve("letter"));
    }

    @Test
    void aWrongCodeEndsTheOffer() throws IOException {
        write(source.resolve("letter"), 10);
        try (RunningProgram sender = start("a", "send", source.toString(), "--listen", "127.0.0.1:0")) {
            List<String> line = lineToType(sender);
            line.set(
                    1, PairingCode.random(PairingCode.parse(line.get(1)).slot()).toString());
            ForeignResult receiver = run("b", with(line, "--into", target.toString()));

            assertThat(receiver.exitCode()).as(receiver.toString()).isEqualTo(ExitCode.REFUSED);
            assertThat(receiver.errors()).startsWith("sluice: ").contains("code");
            ForeignResult sent = sender.awaitExit(LIMIT);
            assertThat(sent.exitCode()).as(sent.toString()).isEqualTo(ExitCode.REFUSED);
            assertThat(sent.errors()).contains("the code is void").contains("run the command again");
        }
        assertThat(target).isEmptyDirectory();
    }

    @Test
    void sendsToAKnownKeyWithoutACode() throws IOException {
        write(source.resolve("letter"), 10);
        try (RunningProgram sender =
                start("a", "send", source.toString(), "--listen", "127.0.0.1:0", "--peer", fingerprint("b"))) {
            ForeignResult receiver = run("b", with(lineToType(sender), "--into", target.toString()));
            assertThat(receiver.exitCode()).as(receiver.toString()).isEqualTo(ExitCode.OK);
            assertThat(sender.awaitExit(LIMIT).exitCode()).isEqualTo(ExitCode.OK);
        }
        assertThat(target.resolve("source/letter")).hasSameBinaryContentAs(source.resolve("letter"));
    }

    @Test
    void pullsFromAServerAndPushesToIt() throws IOException {
        write(source.resolve("dir/file"), 500_000);
        write(source.resolve("dir/skipped.log"), 5);
        try (RunningProgram server = serve("--writable")) {
            String[] pull = {"pull", address(server), "dir/", "--into", target.toString(), "--exclude", "*.log"};
            ForeignResult first = runAsPeer(pull);
            assertThat(first.exitCode()).as(first.toString()).isEqualTo(ExitCode.OK);
            assertThat(target.resolve("dir/file")).hasSameBinaryContentAs(source.resolve("dir/file"));
            assertThat(target.resolve("dir/skipped.log")).doesNotExist();
            assertThat(runAsPeer(pull).output()).contains(" 0 B over the wire");

            write(target.resolve("new"), 1000);
            ForeignResult pushed =
                    runAsPeer("push", address(server), target.resolve("new").toString());
            assertThat(pushed.exitCode()).as(pushed.toString()).isEqualTo(ExitCode.OK);
            assertThat(source.resolve("new")).hasSameBinaryContentAs(target.resolve("new"));

            server.terminate();
            assertThat(server.awaitExit(LIMIT).exitCode()).isEqualTo(ExitCode.OK);
        }
    }

    @Test
    void refusesWhatTheServerDoesNotPermit() throws IOException {
        write(source.resolve("file"), 10);
        try (RunningProgram server = serve()) {
            ForeignResult pushed =
                    runAsPeer("push", address(server), source.resolve("file").toString());
            assertThat(pushed.exitCode()).as(pushed.toString()).isEqualTo(ExitCode.REFUSED);
            assertThat(pushed.errors()).contains("this side receives nothing");

            ForeignResult outside = runAsPeer("pull", address(server), "../source", "--into", target.toString());
            assertThat(outside.exitCode()).as(outside.toString()).isEqualTo(ExitCode.REFUSED);

            ForeignResult stranger =
                    run("c", List.of("pull", address(server), "--peer", fingerprint("a"), "--into", target.toString()));
            assertThat(stranger.exitCode()).as(stranger.toString()).isEqualTo(ExitCode.REFUSED);
        }
        assertThat(target).isEmptyDirectory();
    }

    @Test
    void resumesAfterASignal() throws IOException {
        write(source.resolve("large"), 24 << 20);
        try (RunningProgram server = serve()) {
            String[] pull = {"pull", address(server), "--into", target.toString(), "--json"};
            try (RunningProgram slow = start("b", with(with(List.of(pull), peerOf("a")), "--limit", "4MiB"))) {
                Waiting.until(LIMIT, () -> received(slow.output()) > 4 << 20, slow::toString);
                slow.terminate();
                ForeignResult ended = slow.awaitExit(LIMIT);
                assertThat(ended.exitCode()).as(ended.toString()).isEqualTo(ExitCode.TRY_AGAIN);
                assertThat(ended.errors()).contains("cancelled").contains("repeat the command to resume");
            }
            assertThat(target.resolve("large")).doesNotExist();
            ForeignResult rest = runAsPeer(pull);
            assertThat(rest.exitCode()).as(rest.toString()).isEqualTo(ExitCode.OK);
            Matcher summary =
                    Pattern.compile("\"event\":\"summary\",.*\"bytes\":(\\d+)").matcher(rest.output());
            assertThat(summary.find()).as(rest.output()).isTrue();
            assertThat(Long.parseLong(summary.group(1))).isLessThan(20 << 20);
        }
        assertThat(target.resolve("large")).hasSameBinaryContentAs(source.resolve("large"));
    }

    @Test
    void plansWithoutWriting() throws IOException {
        write(source.resolve("dir/file"), 10);
        try (RunningProgram server = serve()) {
            ForeignResult planned = runAsPeer("pull", address(server), "--into", target.toString(), "--dry-run");
            assertThat(planned.exitCode()).as(planned.toString()).isEqualTo(ExitCode.OK);
            assertThat(planned.output()).contains("dir/file\n").contains("Would receive 1 files");
        }
        assertThat(target).isEmptyDirectory();
    }

    @Test
    void reportsFilesThatFailedByTheExitCode() throws IOException {
        write(source.resolve("file"), 10);
        Files.createSymbolicLink(source.resolve("escape"), Path.of("/etc/passwd"));
        try (RunningProgram server = serve()) {
            ForeignResult pulled = runAsPeer("pull", address(server), "--into", target.toString(), "--quiet");
            assertThat(pulled.exitCode()).as(pulled.toString()).isEqualTo(ExitCode.INCOMPLETE);
            assertThat(pulled.errors()).contains("sluice: escape: ").contains("leads out of the tree");
            assertThat(pulled.output()).isEmpty();
        }
        assertThat(target.resolve("file")).exists();
    }

    @Test
    void showsAndAllowsKeys() {
        String peer = fingerprint("b");
        assertThat(run("a", List.of("keys", "--allow", peer, "the laptop")).output())
                .contains("own key  sha256:")
                .contains("allowed  " + peer + "  the laptop");
        assertThat(run("a", List.of("keys")).output()).contains("the laptop");
    }

    @Test
    void addsAKeyBehindALineWithoutEnd() throws IOException {
        String first = fingerprint("b");
        Path allowed = Files.writeString(directory.resolve("allowed"), first + " by hand");
        assertThat(run("a", List.of("keys", "--allow", fingerprint("c"), "--allowed-keys", allowed.toString()))
                        .output())
                .contains("allowed  " + first + "  by hand")
                .contains("allowed  " + fingerprint("c"));
    }

    @Test
    void rejectsBadValuesWithARemedy() {
        assertThat(refused("pull", "127.0.0.1:1", "--peer", "sha256:short")).contains("43 letters");
        assertThat(refused("pull", "127.0.0.1:1")).contains("no known peers").contains("sluice keys --allow");
        assertThat(refused("pull", "nowhere", "--peer", fingerprint("a"))).contains("not host:port");
        assertThat(refused("pull", "127.0.0.1:1", "--limit", "fast")).contains("500KiB or 10MiB");
        assertThat(refused("receive", "7-KX4Q-9M2Q", "--at", "127.0.0.1:1")).contains("mistyped code");
        assertThat(refused("receive", PairingCode.random(7).toString())).contains("add --at HOST:PORT");
        assertThat(refused("serve", directory.resolve("absent").toString(), "--peer", fingerprint("a")))
                .contains("absent");
    }

    // ---- processes

    private String refused(String... arguments) {
        ForeignResult result = run("a", List.of(arguments));
        assertThat(result.exitCode()).as(result.toString()).isEqualTo(ExitCode.REFUSED);
        return result.errors();
    }

    private RunningProgram serve(String... options) {
        List<String> line = List.of("serve", source.toString(), "--listen", "127.0.0.1:0");
        return start("a", with(with(line, options), peerOf("b")));
    }

    private String address(RunningProgram server) {
        server.awaitOutput("Ctrl-C ends it", LIMIT);
        Matcher matcher = Pattern.compile("Serving on (\\S+) ").matcher(server.output());
        assertThat(matcher.find()).as(server.output()).isTrue();
        return matcher.group(1);
    }

    /** Returns the words after "sluice" of the line that a sender prints. */
    private static List<String> lineToType(RunningProgram sender) {
        sender.awaitOutput("Ctrl-C ends it", LIMIT);
        String line = sender.output()
                .lines()
                .map(String::strip)
                .filter(each -> each.startsWith("sluice receive "))
                .findFirst()
                .orElseThrow();
        return new ArrayList<>(List.of(line.substring("sluice ".length()).split(" ", -1)));
    }

    private static long received(String events) {
        Matcher matcher = Pattern.compile("\"bytes_transferred\":(\\d+)").matcher(events);
        long last = 0;
        while (matcher.find()) {
            last = Long.parseLong(matcher.group(1));
        }
        return last;
    }

    private String fingerprint(String machine) {
        Matcher matcher = Pattern.compile("own key  (\\S+)")
                .matcher(run(machine, List.of("keys")).output());
        assertThat(matcher.find()).isTrue();
        return matcher.group(1);
    }

    private String[] peerOf(String machine) {
        return new String[] {"--peer", fingerprint(machine)};
    }

    private ForeignResult runAsPeer(String... arguments) {
        return run("b", with(List.of(arguments), peerOf("a")));
    }

    private ForeignResult run(String machine, List<String> arguments) {
        return command(machine, arguments).within(LIMIT).run();
    }

    private RunningProgram start(String machine, String... arguments) {
        return start(machine, List.of(arguments));
    }

    private RunningProgram start(String machine, List<String> arguments) {
        return command(machine, arguments).start();
    }

    private ForeignCommand command(String machine, List<String> arguments) {
        String modules = System.getProperty("jdk.module.path", "");
        List<String> line = new ArrayList<>(List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path") + (modules.isEmpty() ? "" : ":" + modules)));
        String openSsl = System.getProperty("sluice.openssl");
        if (openSsl != null) {
            line.add("-Dsluice.openssl=" + openSsl);
        }
        line.add(Main.class.getName());
        line.addAll(arguments);
        return ForeignProgram.at(Path.of(System.getProperty("java.home"), "bin", "java"))
                .command(line.toArray(String[]::new))
                .with("SLUICE_STATE_DIR", directory.resolve("state-" + machine).toString());
    }

    private static List<String> with(List<String> line, String... more) {
        List<String> all = new ArrayList<>(line);
        all.addAll(List.of(more));
        return all;
    }

    private static void write(Path file, int size) throws IOException {
        Path parent = file.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        Files.write(file, bytes);
    }
}
