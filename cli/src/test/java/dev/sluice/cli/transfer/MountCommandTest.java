package dev.sluice.cli.transfer;

import static dev.sluice.cli.transfer.Machines.LIMIT;
import static dev.sluice.cli.transfer.Machines.address;
import static dev.sluice.cli.transfer.Machines.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.cli.command.ExitCode;
import dev.sluice.testkit.ForeignCommand;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import dev.sluice.testkit.FreePort;
import dev.sluice.testkit.FuseMachine;
import dev.sluice.testkit.RunningProgram;
import dev.sluice.transfer.channel.ChannelSettings;
import dev.sluice.transfer.channel.ChannelSocket;
import dev.sluice.transfer.channel.SecureChannel;
import dev.sluice.transfer.identity.AllowedKeys;
import dev.sluice.transfer.identity.KeyFingerprint;
import dev.sluice.transfer.identity.OwnKey;
import dev.sluice.transfer.identity.OwnKeyType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers and mounts as processes of several machines. */
@Timeout(180)
class MountCommandTest {
    private static final Path MOUNTS = Path.of("/proc/self/mounts");
    private static final int NOBODY = 65534;
    private static final byte UNKNOWN_PROTOCOL = 71;

    @TempDir
    Path directory = Path.of("");

    private Path served = Path.of("");
    private Path mounted = Path.of("");
    private Path pulled = Path.of("");
    private Machines machines = new Machines(directory);

    @BeforeEach
    void makeDirectories() throws IOException {
        machines = new Machines(directory);
        served = Files.createDirectory(directory.resolve("served"));
        mounted = Files.createDirectory(directory.resolve("mounted"));
        pulled = Files.createDirectory(directory.resolve("pulled"));
        Files.writeString(served.resolve("file"), "contents");
    }

    // ---- one port for transfers and mounts

    @Test
    void mountsWhatAServerServesUntilSigterm() throws IOException {
        FuseMachine.require();
        try (RunningProgram server = serve();
                RunningProgram mount = mount(address(server))) {
            mount.awaitOutput("Mounted " + address(server) + " on " + mounted + ", read-only.", LIMIT);
            assertThat(mounted.resolve("file")).hasContent("contents");
            assertThatThrownBy(() -> Files.writeString(mounted.resolve("new"), ""))
                    .hasMessageContaining("Read-only file system");
            ForeignResult copied = machines.run("b", pull(address(server)));
            assertThat(copied.exitCode()).as(copied.toString()).isEqualTo(ExitCode.OK);
            assertThat(pulled.resolve("file")).hasContent("contents");

            mount.terminate();
            ForeignResult ended = mount.awaitExit(LIMIT);
            assertThat(ended.exitCode()).as(ended.toString()).isEqualTo(ExitCode.OK);
            assertThat(ended.errors()).isEmpty();
            assertThat(mounted).isEmptyDirectory();
            assertThat(Files.readString(MOUNTS)).doesNotContain(mounted.toString());
            server.awaitOutput(": unmounted", LIMIT);
            assertThat(server.output()).contains(machines.fingerprint("b") + ": mounted");
            assertThat(server.errors()).isEmpty();
        }
    }

    @Test
    void writesThroughAMountOfAWritableServer() throws IOException {
        FuseMachine.require();
        try (RunningProgram server = serve("--writable");
                RunningProgram mount = mount(address(server))) {
            mount.awaitOutput("Mounted " + address(server) + " on " + mounted + ". ", LIMIT);
            Files.writeString(mounted.resolve("new"), "written");
            ForeignProgram.required("umount", "mount")
                    .command(mounted.toString())
                    .run()
                    .expectSuccess();
            assertThat(mount.awaitExit(LIMIT).exitCode()).isEqualTo(ExitCode.OK);
        }
        assertThat(served.resolve("new")).hasContent("written");
    }

    @Test
    void failsEveryAccessAfterTheServerHasEnded() throws IOException {
        FuseMachine.require();
        try (RunningProgram server = serve();
                RunningProgram mount = mount(address(server))) {
            mount.awaitOutput("ends it", LIMIT);
            server.terminate();
            ForeignResult stopped = server.awaitExit(LIMIT);
            assertThat(stopped.exitCode()).as(stopped.toString()).isEqualTo(ExitCode.OK);
            assertThat(stopped.errors()).isEmpty();
            mount.awaitOutput("sluice: mount: the server is gone (", LIMIT);
            assertThatThrownBy(() -> Files.readString(mounted.resolve("file")))
                    .hasMessageContaining("Input/output error");
            mount.terminate();
            assertThat(mount.awaitExit(LIMIT).exitCode()).isEqualTo(ExitCode.OK);
        }
        assertThat(mounted).isEmptyDirectory();
    }

    @Test
    void refusesMountsWhereFiltersHideFiles() {
        try (RunningProgram server = serve("--exclude", "*.key")) {
            ForeignResult refused = mount(address(server)).awaitExit(LIMIT);
            assertThat(refused.exitCode()).as(refused.toString()).isEqualTo(ExitCode.REFUSED);
            assertThat(refused.errors()).startsWith("sluice: mount: the peer does not permit it (EACCES");
            server.awaitOutput("--include and --exclude hold for transfers only", LIMIT);
        }
    }

    @Test
    void reportsAnUnknownProtocol() throws IOException {
        String fingerprint = machines.fingerprint("b");
        try (RunningProgram server = serve();
                OwnKey own = OwnKey.loadOrCreate(machines.state("b").resolve("transfer-key.pem"), OwnKeyType.ED25519);
                SecureChannel channel = connect(address(server), own)) {
            channel.outgoing().put(UNKNOWN_PROTOCOL);
            channel.send();
            assertThat(channel.incoming().await()).isFalse();
            server.awaitOutput(fingerprint + " speaks an unknown protocol (first byte 71)", LIMIT);
            assertThat(server.isRunning()).isTrue();
        }
    }

    private SecureChannel connect(String server, OwnKey own) throws IOException {
        int port = Integer.parseInt(server.substring(server.lastIndexOf(':') + 1));
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        AllowedKeys allowed = AllowedKeys.of(KeyFingerprint.parse(machines.fingerprint("a")));
        return SecureChannel.connect(
                ChannelSocket.connect(address, LIMIT), own, allowed, ChannelSettings.DEFAULT.withSilenceLimit(LIMIT));
    }

    // ---- refusals

    @Test
    void reportsWrongKeys() {
        try (RunningProgram server = serve()) {
            ForeignResult stranger = mountAs("c", address(server), machines.fingerprint("a"));
            assertThat(stranger.exitCode()).as(stranger.toString()).isEqualTo(ExitCode.REFUSED);
            assertThat(stranger.errors()).contains("does not allow our key");

            ForeignResult impostor = mountAs("b", address(server), machines.fingerprint("c"));
            assertThat(impostor.exitCode()).as(impostor.toString()).isEqualTo(ExitCode.REFUSED);
            assertThat(impostor.errors()).contains(machines.fingerprint("a"));
        }
    }

    private ForeignResult mountAs(String machine, String server, String peer) {
        return machines.run(machine, "mount", server, mounted.toString(), "--peer", peer);
    }

    @Test
    void reportsAServerThatIsNotThere() throws IOException {
        String nobody = "127.0.0.1:" + FreePort.onLoopback();
        ForeignResult absent = mountAs("b", nobody, machines.fingerprint("a"));
        assertThat(absent.exitCode()).as(absent.toString()).isEqualTo(ExitCode.TRY_AGAIN);
        assertThat(absent.errors()).contains(nobody + ": ECONNREFUSED");
    }

    @Test
    void rejectsBadValuesWithARemedy() {
        assertThat(refused("nowhere", mounted.toString(), "--peer", machines.fingerprint("a")))
                .contains("not host:port");
        assertThat(refused("127.0.0.1:1", directory.resolve("absent").toString()))
                .contains("is no directory; create it");
        assertThat(refused("127.0.0.1:1", mounted.toString())).contains("no known peers");
        assertThat(refused("127.0.0.1:1", mounted.toString(), "--cache-mib", "0"))
                .contains("cacheBytes=0");
    }

    private String refused(String... arguments) {
        ForeignResult result = machines.run("b", with(List.of("mount"), arguments));
        assertThat(result.exitCode()).as(result.toString()).isEqualTo(ExitCode.REFUSED);
        return result.errors();
    }

    // ---- a user without rights

    @Test
    void mountsForAUserWithoutRights() throws IOException {
        FuseMachine.requireHelper();
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        giveToNobody(mounted);
        giveToNobody(Files.createDirectory(machines.state("n")));
        String fingerprint = machines.on("n", nobody(Machines.line(List.of("keys"))))
                .run()
                .expectSuccess()
                .output()
                .strip()
                .replace("own key  ", "");
        List<String> line = List.of("serve", served.toString(), "--listen", "127.0.0.1:0", "--peer", fingerprint);
        try (RunningProgram server = machines.start("a", line);
                RunningProgram mount = mountAsNobody(address(server))) {
            mount.awaitOutput("Mounted ", LIMIT);
            Path mounts = Path.of("/proc/" + mount.pid() + "/mounts");
            assertThat(Files.readString(mounts)).contains(mounted + " fuse.sluice ro,nosuid,nodev");
            String file = mounted.resolve("file").toString();
            // It keeps the namespace after the mount's process.
            try (RunningProgram reader = inNamespaceOf(mount, "cat " + file + " && exec sleep 60")) {
                reader.awaitOutput("contents", LIMIT);
                mount.terminate();
                ForeignResult ended = mount.awaitExit(LIMIT);
                assertThat(ended.exitCode()).as(ended.toString()).isEqualTo(ExitCode.OK);
                assertThat(ended.errors()).isEmpty();
                assertThat(Files.readString(Path.of("/proc/" + reader.pid() + "/mounts")))
                        .contains(" /dev/fuse ")
                        .doesNotContain(mounted.toString());
            }
        }
    }

    /** Mounts in a mount namespace where, as on most machines and not on all, every user may open the device. */
    private RunningProgram mountAsNobody(String server) throws IOException {
        Path devices = Files.createDirectory(directory.resolve("devices"));
        String script = """
                set -eu
                devices=$1
                shift
                mount -t tmpfs -o mode=755 none "$devices"
                mknod -m 666 "$devices/fuse" c 10 229
                mount --bind "$devices/fuse" /dev/fuse
                exec "$@"
                """;
        List<String> line = new ArrayList<>(List.of("-m", "sh", "-c", script, "sh", devices.toString()));
        line.addAll(nobodyLine(
                Machines.line(List.of("mount", server, mounted.toString(), "--peer", machines.fingerprint("a")))));
        ForeignCommand command =
                ForeignProgram.required("unshare", "util-linux").command(line.toArray(String[]::new));
        return machines.on("n", command).start();
    }

    private static RunningProgram inNamespaceOf(RunningProgram mount, String script) {
        List<String> line = new ArrayList<>(List.of("-t", String.valueOf(mount.pid()), "-m"));
        line.addAll(nobodyLine(List.of("sh", "-c", script)));
        return ForeignProgram.required("nsenter", "util-linux")
                .command(line.toArray(String[]::new))
                .start();
    }

    private static void giveToNobody(Path path) throws IOException {
        Files.setAttribute(path, "unix:uid", NOBODY);
    }

    private static ForeignCommand nobody(List<String> line) {
        List<String> all = nobodyLine(line);
        return ForeignProgram.required(all.getFirst(), "util-linux")
                .command(all.subList(1, all.size()).toArray(String[]::new));
    }

    /** Runs a line with the right to read everything, such as the class path in root's home, and no other. */
    private static List<String> nobodyLine(List<String> line) {
        List<String> all = new ArrayList<>(List.of(
                "setpriv",
                "--reuid=" + NOBODY,
                "--regid=" + NOBODY,
                "--clear-groups",
                "--inh-caps=+dac_read_search",
                "--ambient-caps=+dac_read_search"));
        all.addAll(line);
        return all;
    }

    // ---- processes

    private RunningProgram serve(String... options) {
        List<String> line = List.of("serve", served.toString(), "--listen", "127.0.0.1:0");
        return machines.start("a", with(with(line, options), machines.peerOf("b")));
    }

    private RunningProgram mount(String server) {
        return machines.start("b", with(List.of("mount", server, mounted.toString()), machines.peerOf("a")));
    }

    private List<String> pull(String server) {
        return with(List.of("pull", server, "--into", pulled.toString()), machines.peerOf("a"));
    }
}
