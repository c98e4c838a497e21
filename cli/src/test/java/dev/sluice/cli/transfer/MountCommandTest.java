package dev.sluice.cli.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.SluiceCommand;
import dev.sluice.cli.command.ExitCode;
import dev.sluice.cli.command.Signals;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.Waiting;
import dev.sluice.transfer.channel.ChannelListener;
import dev.sluice.transfer.channel.ChannelSettings;
import dev.sluice.transfer.channel.ChannelSocket;
import dev.sluice.transfer.channel.SecureChannel;
import dev.sluice.transfer.export.Export;
import dev.sluice.transfer.export.ExportSettings;
import dev.sluice.transfer.identity.AllowedKeys;
import dev.sluice.transfer.identity.OwnKey;
import dev.sluice.transfer.identity.OwnKeyType;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Tests of the command in process. */
@Timeout(60)
class MountCommandTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final StringWriter out = new StringWriter();
    private final StringWriter errors = new StringWriter();

    @TempDir
    Path directory = Path.of("");

    private int run(String... arguments) {
        CommandLine command = SluiceCommand.line();
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(errors, true));
        return command.execute(arguments);
    }

    @Test
    void rejectsWhatIsNoAddress() {
        int code = run(
                "mount",
                "nowhere",
                directory.toString(),
                "--peer",
                "0".repeat(64),
                "--key",
                directory.resolve("key").toString());
        assertThat(code).isEqualTo(ExitCode.REFUSED);
        assertThat(errors.toString()).contains("write HOST:PORT");
    }

    @Test
    void mountsUntilSigterm() throws Exception {
        if (!Files.exists(Path.of("/dev/fuse"))
                || !System.getProperty("user.name").equals("root")) {
            ForeignProgram.absent("no /dev/fuse, or not root; remedy: modprobe fuse, and run the test as root");
        }
        Path served = Files.createDirectory(directory.resolve("served"));
        Path mounted = Files.createDirectory(directory.resolve("mounted"));
        Path key = directory.resolve("key");
        Files.writeString(served.resolve("file"), "contents");
        try (OwnKey own = OwnKey.generate(OwnKeyType.ED25519);
                OwnKey client = OwnKey.loadOrCreate(key, OwnKeyType.ED25519);
                ChannelListener listener =
                        ChannelListener.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            CompletableFuture<Void> serving =
                    CompletableFuture.runAsync(() -> serve(listener, own, client, served), MountCommandTest::start);
            String peer = "127.0.0.1:" + ((InetSocketAddress) listener.address()).getPort();
            CompletableFuture<Integer> code = CompletableFuture.supplyAsync(
                    () -> run(
                            "mount",
                            peer,
                            mounted.toString(),
                            "--read-only",
                            "--peer",
                            own.fingerprint().toString(),
                            "--key",
                            key.toString()),
                    MountCommandTest::start);
            Waiting.until(LIMIT, () -> out.toString().contains("mounted " + peer), errors::toString);
            assertThat(mounted.resolve("file")).hasContent("contents");
            Signals.terminate();
            assertThat(code.join()).isEqualTo(ExitCode.OK);
            serving.join();
        }
        assertThat(mounted).isEmptyDirectory();
        assertThat(errors.toString()).isEmpty();
    }

    private static void start(Runnable task) {
        Thread.ofPlatform().daemon().start(task);
    }

    private static void serve(ChannelListener listener, OwnKey own, OwnKey client, Path served) {
        try (Export export = Export.open(served, ExportSettings.READ_WRITE);
                ChannelSocket socket = listener.accept(LIMIT);
                SecureChannel channel = SecureChannel.accept(
                        socket, own, AllowedKeys.of(client.fingerprint()), ChannelSettings.DEFAULT.withRecords(128))) {
            export.serve(channel);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
