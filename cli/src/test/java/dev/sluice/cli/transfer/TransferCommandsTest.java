package dev.sluice.cli.transfer;

import static dev.sluice.cli.transfer.Machines.LIMIT;
import static dev.sluice.cli.transfer.Machines.address;
import static dev.sluice.cli.transfer.Machines.lineToType;
import static dev.sluice.cli.transfer.Machines.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.command.ExitCode;
import dev.sluice.testkit.ForeignResult;
import dev.sluice.testkit.RunningProgram;
import dev.sluice.testkit.Waiting;
import dev.sluice.transfer.identity.KeyFingerprint;
import dev.sluice.transfer.pairing.Pairing;
import dev.sluice.transfer.pairing.PairingCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands that transfer files, as processes of two machines: each has a state directory of its own. */
@Timeout(180)
class TransferCommandsTest {
    @TempDir
    Path directory = Path.of("");

    private Path source = Path.of("");
    private Path target = Path.of("");
    private Machines machines = new Machines(directory);

    @BeforeEach
    void makeDirectories() throws IOException {
        machines = new Machines(directory);
        source = Files.createDirectory(directory.resolve("source"));
        target = Files.createDirectory(directory.resolve("target"));
    }

    @Test
    void sendsToWhoeverHasTheCode() throws IOException {
        write(source.resolve("photos/one.jpg"), 1_000_000);
        write(source.resolve("letter"), 10);
        try (RunningProgram sender = machines.start("a", "send", source.toString(), "--listen", "127.0.0.1:0")) {
            List<String> line = lineToType(sender);
            ForeignResult receiver = machines.run("b", with(line, "--into", target.toString()));

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
        try (RunningProgram sender = machines.start("a", "send", source.toString(), "--listen", "127.0.0.1:0")) {
            List<String> line = new ArrayList<>(lineToType(sender));
            line.set(
                    1, PairingCode.random(PairingCode.parse(line.get(1)).slot()).toString());
            ForeignResult receiver = machines.run("b", with(line, "--into", target.toString()));

            assertThat(receiver.exitCode()).as(receiver.toString()).isEqualTo(ExitCode.REFUSED);
            assertThat(receiver.errors()).startsWith("sluice: ").contains("code");
            ForeignResult sent = sender.awaitExit(LIMIT);
            assertThat(sent.exitCode()).as(sent.toString()).isEqualTo(ExitCode.REFUSED);
            assertThat(sent.errors()).contains("the code is void").contains("run the command again");
        }
        assertThat(target).isEmptyDirectory();
    }

    /** A scanner of ports, or an attempt of the receiver at another address of this machine. */
    @Test
    void aStrangerWhoComesDuringThePairingDoesNotEndTheOffer() throws Exception {
        write(source.resolve("letter"), 10);
        try (RunningProgram sender = machines.start("a", "send", source.toString(), "--listen", "127.0.0.1:0")) {
            List<String> line = lineToType(sender);
            String at = line.getLast();
            int port = Integer.parseInt(at.substring(at.lastIndexOf(':') + 1));
            KeyFingerprint own = KeyFingerprint.of(new byte[KeyFingerprint.BYTES]);
            try (Socket receiver = new Socket(InetAddress.getLoopbackAddress(), port);
                    Pairing pairing = Pairing.initiator(PairingCode.parse(line.get(1)), own)) {
                receiver.getOutputStream().write(pairing.message());
                Pairing.requireMessage(receiver.getInputStream().readNBytes(Pairing.MESSAGE_BYTES));
                try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), port)) {
                    stranger.getOutputStream().write(new byte[Pairing.MESSAGE_BYTES]);
                    assertThat(stranger.getInputStream().read()).isNegative();
                }
            }
            ForeignResult sent = sender.awaitExit(LIMIT);
            assertThat(sent.errors()).contains("the code is void").doesNotContain("the peer does not pair");
        }
    }

    @Test
    void sendsToAKnownKeyWithoutACode() throws IOException {
        write(source.resolve("letter"), 10);
        try (RunningProgram sender = machines.start(
                "a", "send", source.toString(), "--listen", "127.0.0.1:0", "--peer", machines.fingerprint("b"))) {
            ForeignResult receiver = machines.run("b", with(lineToType(sender), "--into", target.toString()));
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
    void compressesInBothDirections() throws IOException {
        byte[] lines = "a line of a log\n".repeat(30_000).getBytes(StandardCharsets.US_ASCII);
        Files.write(source.resolve("log"), lines);
        Path pushed = Files.write(directory.resolve("pushed"), lines);
        try (RunningProgram server = serve("--writable", "--compress")) {
            ForeignResult pulled = runAsPeer("pull", address(server), "--into", target.toString(), "--compress");
            assertThat(pulled.exitCode()).as(pulled.toString()).isEqualTo(ExitCode.OK);
            assertThat(pulled.output()).containsPattern("Received 1 file, \\S+ (B|KiB) over the wire");
            assertThat(pulled.output()).doesNotContain("469 KiB");
            ForeignResult sent = runAsPeer("push", address(server), pushed.toString());
            assertThat(sent.exitCode()).as(sent.toString()).isEqualTo(ExitCode.OK);
            assertThat(sent.output()).contains("Sent 1 file").doesNotContain("469 KiB");
        }
        assertThat(target.resolve("log")).hasBinaryContent(lines);
        assertThat(source.resolve("pushed")).hasBinaryContent(lines);
    }

    @Test
    void refusesToCompressWithoutTheLibrary() {
        List<String> pull = List.of("pull", "127.0.0.1:1", "--into", target.toString(), "--compress");
        ForeignResult refused = machines.command("b", pull)
                .with("JAVA_TOOL_OPTIONS", "-Dsluice.zstd=/absent/libzstd.so.1")
                .within(LIMIT)
                .run();
        assertThat(refused.exitCode()).as(refused.toString()).isEqualTo(ExitCode.REFUSED);
        assertThat(refused.errors()).contains("sluice: zstd not found: ").contains("libzstd1");
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

            ForeignResult stranger = machines.run(
                    "c",
                    List.of("pull", address(server), "--peer", machines.fingerprint("a"), "--into", target.toString()));
            assertThat(stranger.exitCode()).as(stranger.toString()).isEqualTo(ExitCode.REFUSED);
        }
        assertThat(target).isEmptyDirectory();
    }

    @Test
    void resumesAfterASignal() throws IOException {
        write(source.resolve("large"), 24 << 20);
        try (RunningProgram server = serve()) {
            String[] pull = {"pull", address(server), "--into", target.toString(), "--json"};
            try (RunningProgram slow =
                    machines.start("b", with(with(List.of(pull), machines.peerOf("a")), "--limit", "4MiB"))) {
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
    void awaitsALostPushWhileAMachineOfTheSameNamePushes() throws IOException {
        machines.run("a", "keys", "--allow", machines.fingerprint("b"), "laptop");
        machines.run("a", "keys", "--allow", machines.fingerprint("c"), "laptop");
        write(source.resolve("large"), 8 << 20);
        write(source.resolve("small"), 10);
        try (RunningProgram server =
                machines.start("a", "serve", target.toString(), "--listen", "127.0.0.1:0", "--writable")) {
            List<String> push = with(List.of("push", address(server)), machines.peerOf("a"));
            String large = source.resolve("large").toString();
            try (RunningProgram lost = machines.start("b", with(push, large, "--limit", "1MiB"))) {
                Waiting.until(Waiting.LIMIT, () -> !isEmpty(target), lost::toString);
            }
            ForeignResult pushed =
                    machines.run("c", with(push, source.resolve("small").toString()));
            assertThat(pushed.exitCode()).as(pushed.toString()).isEqualTo(ExitCode.OK);
            server.awaitOutput("laptop: 1 file", LIMIT);
            assertThat(server.errors()).doesNotContain("another transfer");
        }
    }

    private static boolean isEmpty(Path directory) {
        try (Stream<Path> all = Files.list(directory)) {
            return all.findAny().isEmpty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void plansWithoutWriting() throws IOException {
        write(source.resolve("dir/file"), 10);
        try (RunningProgram server = serve()) {
            ForeignResult planned = runAsPeer("pull", address(server), "--into", target.toString(), "--dry-run");
            assertThat(planned.exitCode()).as(planned.toString()).isEqualTo(ExitCode.OK);
            assertThat(planned.output()).contains("dir/file\n").contains("Would receive 1 file, 10 B in ");
        }
        assertThat(target).isEmptyDirectory();
    }

    @Test
    void plansOnlyWhatDiffers() throws IOException {
        write(source.resolve("same"), 10);
        write(source.resolve("new"), 20);
        Files.copy(source.resolve("same"), target.resolve("same"), StandardCopyOption.COPY_ATTRIBUTES);
        try (RunningProgram server = serve()) {
            ForeignResult planned = runAsPeer("pull", address(server), "--into", target.toString(), "--dry-run");
            assertThat(planned.output()).contains("Would receive 1 file, 20 B, 1 unchanged in ");
        }
    }

    @Test
    void writesALineOfJsonForEachEvent() throws IOException {
        write(source.resolve("same"), 10);
        write(source.resolve("new"), 20);
        Files.copy(source.resolve("same"), target.resolve("same"), StandardCopyOption.COPY_ATTRIBUTES);
        Files.createSymbolicLink(source.resolve("escape"), Path.of("/etc/passwd"));
        try (RunningProgram server = serve()) {
            ForeignResult pulled = runAsPeer("pull", address(server), "--into", target.toString(), "--json");
            assertThat(pulled.exitCode()).as(pulled.toString()).isEqualTo(ExitCode.INCOMPLETE);
            assertThat(pulled.errors()).isEmpty();
            assertThat(pulled.output().replace('"', '\'').lines().filter(each -> !each.contains("'progress'")))
                    .anyMatch(each -> each.startsWith("{'event':'started','peer':'sha256:"))
                    .contains("{'event':'unchanged','path':'same','size':10}")
                    .contains("{'event':'completed','path':'new','size':20,'reused':0}")
                    .anyMatch(each -> each.startsWith(
                            "{'event':'failed','path':'escape','failure':'link_leaves_tree','message':"))
                    .last()
                    .asString()
                    .startsWith("{'event':'summary','files':2,'failed':1,'bytes':20,'unchanged':1,'planned':0,")
                    .endsWith("'exit_code':5}");
        }
    }

    @Test
    void reportsTheErrorThatEndsACommandAsJson() {
        ForeignResult absent = runAsPeer("pull", "127.0.0.1:1", "--json");
        assertThat(absent.exitCode()).as(absent.toString()).isEqualTo(ExitCode.TRY_AGAIN);
        assertThat(absent.output())
                .startsWith("{\"event\":\"error\",\"message\":\"")
                .endsWith("\"exit_code\":75}\n");
        assertThat(absent.errors()).startsWith("sluice: ");
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
        String peer = machines.fingerprint("b");
        assertThat(machines.run("a", List.of("keys", "--allow", peer, "the laptop"))
                        .output())
                .contains("own key  sha256:")
                .contains("allowed  " + peer + "  the laptop");
        assertThat(machines.run("a", List.of("keys")).output()).contains("the laptop");
    }

    @Test
    void addsAKeyBehindALineWithoutEnd() throws IOException {
        String first = machines.fingerprint("b");
        Path allowed = Files.writeString(directory.resolve("allowed"), first + " by hand");
        assertThat(machines.run(
                                "a",
                                List.of(
                                        "keys",
                                        "--allow",
                                        machines.fingerprint("c"),
                                        "--allowed-keys",
                                        allowed.toString()))
                        .output())
                .contains("allowed  " + first + "  by hand")
                .contains("allowed  " + machines.fingerprint("c"));
    }

    @Test
    void keepsAllowedKeysReadableAfterANameWithALineEnd() throws IOException {
        Path allowed = directory.resolve("allowed");
        String key = machines.fingerprint("b");
        String[] add = {"keys", "--allow", key, "a\nb", "--allowed-keys", allowed.toString()};
        assertThat(refused(add)).contains("line");
        assertThat(allowed).doesNotExist();
        add[3] = "b";
        assertThat(machines.run("a", add).exitCode()).isEqualTo(ExitCode.OK);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(allowed)))
                .isEqualTo("rw-------");
    }

    @Test
    void reportsAnAllowedKeysFileThatCannotBeWritten() throws IOException {
        String key = machines.fingerprint("b");
        Path file = Files.createFile(directory.resolve("file"));
        for (Path bad : new Path[] {directory, file.resolve("allowed")}) {
            assertThat(refused("keys", "--allow", key, "--allowed-keys", bad.toString()))
                    .contains(bad.toString())
                    .contains("check the path")
                    .doesNotContain("internal error");
        }
    }

    @Test
    void rejectsBadValuesWithARemedy() {
        assertThat(refused("pull", "127.0.0.1:1", "--peer", "sha256:short")).contains("43 letters");
        assertThat(refused("pull", "127.0.0.1:1")).contains("no known peers").contains("sluice keys --allow");
        assertThat(refused("pull", "127.0.0.1:1", "--peer", machines.fingerprint("a"), "--into", "absent"))
                .contains("--into absent is no directory; create it");
        assertThat(refused("pull", "nowhere", "--peer", machines.fingerprint("a")))
                .contains("not host:port");
        assertThat(refused("pull", "127.0.0.1:1", "--limit", "fast")).contains("500KiB or 10MiB");
        assertThat(refused("receive", "7-KX4Q-9M2Q", "--at", "127.0.0.1:1")).contains("mistyped code");
        String code = PairingCode.random(7).toString();
        assertThat(refused("receive", code, "--no-lan")).contains("add --at or --relay");
        assertThat(refused("receive", code, "--relay", "nowhere")).contains("not host:port");
        assertThat(refused("receive", "sha256:short", "--at", "127.0.0.1:1")).contains("43 letters");
        assertThat(refused("receive", "127.0.0.1:1", "--relay", "127.0.0.1:1")).contains("need a code");
        assertThat(refused("serve", directory.resolve("absent").toString(), "--peer", machines.fingerprint("a")))
                .contains("absent");
    }

    // ---- processes

    private String refused(String... arguments) {
        ForeignResult result = machines.run("a", arguments);
        assertThat(result.exitCode()).as(result.toString()).isEqualTo(ExitCode.REFUSED);
        return result.errors();
    }

    private RunningProgram serve(String... options) {
        List<String> line = List.of("serve", source.toString(), "--listen", "127.0.0.1:0");
        return machines.start("a", with(with(line, options), machines.peerOf("b")));
    }

    private static long received(String events) {
        Matcher matcher = Pattern.compile("\"bytes_transferred\":(\\d+)").matcher(events);
        long last = 0;
        while (matcher.find()) {
            last = Long.parseLong(matcher.group(1));
        }
        return last;
    }

    private ForeignResult runAsPeer(String... arguments) {
        return machines.run("b", with(List.of(arguments), machines.peerOf("a")));
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
