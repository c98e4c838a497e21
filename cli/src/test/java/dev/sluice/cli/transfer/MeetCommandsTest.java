package dev.sluice.cli.transfer;

import static dev.sluice.cli.transfer.Machines.LIMIT;
import static dev.sluice.cli.transfer.Machines.WAITS;
import static dev.sluice.cli.transfer.Machines.address;
import static dev.sluice.cli.transfer.Machines.lineToType;
import static dev.sluice.cli.transfer.Machines.linesToType;
import static dev.sluice.cli.transfer.Machines.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.command.ExitCode;
import dev.sluice.testkit.ForeignResult;
import dev.sluice.testkit.FreePort;
import dev.sluice.testkit.RunningProgram;
import dev.sluice.testkit.TwoNetworks;
import dev.sluice.transfer.channel.ChannelSettings;
import dev.sluice.transfer.pairing.PairingCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The ways on which {@code send} and {@code receive} meet, and the relay, as processes of several machines. */
@Timeout(180)
class MeetCommandsTest {
    private static final Duration BELOW_THE_HANDSHAKE_LIMIT =
            ChannelSettings.DEFAULT.handshakeLimit().minusSeconds(2);

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
        Files.write(source.resolve("file"), new byte[300_000]);
    }

    // ---- relay

    @Test
    void meetsAtARelayByTheLineThatIsPrinted() throws IOException {
        try (RunningProgram relay = relay();
                RunningProgram sender = send("--relay", address(relay))) {
            List<List<String>> lines = linesToType(sender);
            assertThat(lines).hasSize(1);
            assertThat(lines.getFirst()).containsSubsequence("--relay", address(relay));
            ForeignResult receiver = receive(lines.getFirst(), "--no-lan", "--streams", "5");
            assertThat(receiver.exitCode()).as(receiver.toString()).isEqualTo(ExitCode.OK);
            assertThat(receiver.output()).contains("Looking for the other machine at the relay " + address(relay));
            assertThat(sender.awaitExit(LIMIT).exitCode()).isEqualTo(ExitCode.OK);

            relay.terminate();
            ForeignResult ended = relay.awaitExit(LIMIT);
            assertThat(ended.exitCode()).as(ended.toString()).isEqualTo(ExitCode.OK);
            assertThat(ended.output())
                    .contains("Draining")
                    .contains(" joined=1 ")
                    .containsPattern("bytes=3\\d{5} ");
        }
        assertThat(target.resolve("source/file")).hasSameBinaryContentAs(source.resolve("file"));
    }

    @Test
    void meetsAKnownMachineAtARelay() throws IOException {
        String[] peer = machines.peerOf("b");
        try (RunningProgram relay = relay();
                RunningProgram sender =
                        send(with(List.of(peer), "--relay", address(relay)).toArray(String[]::new))) {
            List<String> line = lineToType(sender);
            assertThat(line.get(1)).isEqualTo(machines.fingerprint("a"));
            ForeignResult stranger = machines.run("c", with(line, "--no-lan", "--into", target.toString()));
            assertThat(stranger.exitCode()).as(stranger.toString()).isEqualTo(ExitCode.REFUSED);
            assertThat(stranger.errors()).contains("does not allow our key");
            ForeignResult receiver = receive(line, "--no-lan");
            assertThat(receiver.exitCode()).as(receiver.toString()).isEqualTo(ExitCode.OK);
            assertThat(sender.awaitExit(LIMIT).exitCode()).isEqualTo(ExitCode.OK);
        }
        assertThat(target.resolve("source/file")).hasSameBinaryContentAs(source.resolve("file"));
    }

    @Test
    void aWrongCodeEndsTheOfferAtARelay() throws IOException {
        try (RunningProgram relay = relay();
                RunningProgram sender = send("--relay", address(relay))) {
            List<String> line = new ArrayList<>(lineToType(sender));
            int slot = PairingCode.parse(line.get(1)).slot();
            line.set(1, PairingCode.random(slot).toString());
            ForeignResult receiver = receive(line, "--no-lan");
            assertThat(receiver.exitCode()).as(receiver.toString()).isEqualTo(ExitCode.REFUSED);
            assertThat(receiver.errors()).contains("the codes differ");
            ForeignResult sent = sender.awaitExit(LIMIT);
            assertThat(sent.exitCode()).as(sent.toString()).isEqualTo(ExitCode.REFUSED);
            assertThat(sent.errors()).contains("the code is void");
        }
        assertThat(target).isEmptyDirectory();
    }

    @Test
    void reportsARelayThatIsNotThereAndWaitsAtItsAddress() throws IOException {
        String nobody = "127.0.0.1:" + FreePort.onLoopback();
        try (RunningProgram sender = start("send", source.toString(), "--no-lan", "--relay", nobody)) {
            sender.awaitOutput("trying again (relay " + nobody + ": ECONNREFUSED", LIMIT);
            ForeignResult absent = receive(lineToType(sender), "--no-lan");
            assertThat(absent.exitCode()).as(absent.toString()).isEqualTo(ExitCode.TRY_AGAIN);
            assertThat(absent.errors()).contains("peer not found (relay " + nobody + ": ECONNREFUSED");

            List<String> direct = linesToType(sender).getLast();
            assertThat(direct).contains("--at");
            String port = direct.getLast().replaceAll(".*:", "");
            ForeignResult receiver = receive(List.of("receive", direct.get(1), "--at", "127.0.0.1:" + port));
            assertThat(receiver.exitCode()).as(receiver.toString()).isEqualTo(ExitCode.OK);
        }
    }

    @Test
    void reportsTheCountersOfARelayAsJson() throws IOException {
        try (RunningProgram relay = start("relay", "--listen", "127.0.0.1:0", "--json", "--requests-per-minute", "1")) {
            relay.awaitOutput("\"event\":\"relaying\"", LIMIT);
            int port = Integer.parseInt(relay.output().replaceAll("(?s).*127.0.0.1:(\\d+).*", "$1"));
            for (int i = 0; i < 3; i++) {
                try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                    socket.shutdownOutput();
                    assertThat(socket.getInputStream().readAllBytes()).hasSizeLessThan(2);
                }
            }
            relay.terminate();
            ForeignResult ended = relay.awaitExit(LIMIT);
            assertThat(ended.exitCode()).as(ended.toString()).isEqualTo(ExitCode.OK);
            assertThat(ended.output())
                    .endsWith("{\"event\":\"summary\",\"accepted\":3,\"joined\":0,\"bytes\":0,\"expired\":0,"
                            + "\"refused_too_many_requests\":2}\n");
        }
    }

    @Test
    void refusesWhatARelayCannotDo() {
        try (RunningProgram relay = relay()) {
            ForeignResult second = machines.run("a", "relay", "--listen", address(relay));
            assertThat(second.exitCode()).as(second.toString()).isEqualTo(ExitCode.TRY_AGAIN);
            assertThat(second.errors()).contains("cannot listen on " + address(relay) + " (EADDRINUSE");
        }
        assertThat(refused("relay", "--rate", "fast")).contains("--rate fast is no size");
        assertThat(refused("relay", "--pairs", "0")).contains("joinedPairs=0");
        assertThat(refused("relay", "--grace", "soon")).contains("--grace soon is no time");
        assertThat(refused("relay", "--listen", "nowhere")).contains("not host:port");
    }

    // ---- addresses and the local network

    @Test
    void reportsASenderThatIsNotThere() throws IOException {
        String nobody = "127.0.0.1:" + FreePort.onLoopback();
        String code = PairingCode.random(7).toString();
        ForeignResult absent = receive(List.of("receive", code, "--at", nobody));
        assertThat(absent.exitCode()).as(absent.toString()).isEqualTo(ExitCode.TRY_AGAIN);
        assertThat(absent.errors())
                .isEqualTo("sluice: peer not found (" + nobody
                        + ": ECONNREFUSED (connection refused)); check that it waits there\n");
    }

    @Test
    void endsAtOnceAfterASignalWhileAStrangerIsConnected() throws IOException {
        try (RunningProgram sender = send()) {
            String at = lineToType(sender).getLast();
            int port = Integer.parseInt(at.substring(at.lastIndexOf(':') + 1));
            try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), port)) {
                assertThat(stranger.isConnected()).isTrue();
                sender.terminate();
                ForeignResult ended = sender.awaitExit(BELOW_THE_HANDSHAKE_LIMIT);
                assertThat(ended.exitCode()).as(ended.toString()).isEqualTo(ExitCode.TRY_AGAIN);
                assertThat(ended.errors()).contains("cancelled");
            }
        }
    }

    @Test
    void meetsInTheLocalNetworkByTheLineThatIsPrinted() throws IOException {
        try (TwoNetworks networks = TwoNetworks.make()) {
            List<String> offer = Machines.line(List.of("send", source.toString()));
            try (RunningProgram sender =
                    machines.on("a", networks.onFirst(offer)).start()) {
                List<List<String>> lines = linesToType(sender);
                assertThat(lines).hasSize(2);
                assertThat(lines.getFirst()).hasSize(2);
                assertThat(lines.getLast().getLast()).startsWith(TwoNetworks.FIRST_ADDRESS + ":");
                ForeignResult receiver = receiveOnSecond(networks, lines.getFirst());
                assertThat(receiver.exitCode()).as(receiver.toString()).isEqualTo(ExitCode.OK);
                assertThat(sender.awaitExit(LIMIT).exitCode()).isEqualTo(ExitCode.OK);
            }
            assertThat(target.resolve("source/file")).hasSameBinaryContentAs(source.resolve("file"));
        }
    }

    @Test
    void prefersTheLocalNetworkToTheRelay() throws IOException {
        try (TwoNetworks networks = TwoNetworks.make();
                RunningProgram relay = machines.on(
                                "r", networks.onFirst(Machines.line(List.of("relay", "--listen", "0.0.0.0:4775"))))
                        .start()) {
            relay.awaitOutput(WAITS, LIMIT);
            String at = TwoNetworks.FIRST_ADDRESS + ":4775";
            for (String listen : List.of("0.0.0.0:0", "127.0.0.1:0")) {
                List<String> offer =
                        Machines.line(List.of("send", source.toString(), "--relay", at, "--listen", listen));
                try (RunningProgram sender =
                        machines.on("a", networks.onFirst(offer)).start()) {
                    ForeignResult receiver = receiveOnSecond(networks, lineToType(sender));
                    assertThat(receiver.exitCode()).as(receiver.toString()).isEqualTo(ExitCode.OK);
                    assertThat(sender.awaitExit(LIMIT).exitCode()).isEqualTo(ExitCode.OK);
                }
            }
            relay.terminate();
            assertThat(relay.awaitExit(LIMIT).output()).contains(" joined=1 ");
        }
    }

    @Test
    void reportsThatNobodyAnswersInTheLocalNetwork() throws IOException {
        try (TwoNetworks networks = TwoNetworks.make()) {
            String code = PairingCode.random(7).toString();
            ForeignResult absent = receiveOnSecond(networks, List.of("receive", code));
            assertThat(absent.exitCode()).as(absent.toString()).isEqualTo(ExitCode.TRY_AGAIN);
            assertThat(absent.errors()).contains("peer not found (LAN: no answer)");
        }
    }

    // ---- processes

    private RunningProgram relay() {
        return machines.start("r", "relay", "--listen", "127.0.0.1:0");
    }

    private RunningProgram send(String... options) {
        return machines.start("a", with(List.of("send", source.toString(), "--listen", "127.0.0.1:0"), options));
    }

    private RunningProgram start(String... arguments) {
        return machines.start("a", arguments);
    }

    private ForeignResult receive(List<String> line, String... options) {
        return machines.run("b", with(with(line, options), "--into", target.toString()));
    }

    private ForeignResult receiveOnSecond(TwoNetworks networks, List<String> line) {
        List<String> command = Machines.line(with(line, "--into", target.toString()));
        return machines.on("b", networks.onSecond(command)).within(LIMIT).run();
    }

    private String refused(String... arguments) {
        ForeignResult result = machines.run("a", arguments);
        assertThat(result.exitCode()).as(result.toString()).isEqualTo(ExitCode.REFUSED);
        return result.errors();
    }
}
