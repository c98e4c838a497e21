package dev.sluice.bench.transfer.files;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.process.ManagedProcess;
import dev.sluice.bench.process.Output;
import dev.sluice.bench.process.Ports;
import dev.sluice.bench.process.Program;
import dev.sluice.bench.process.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An sshd on a port of 127.0.0.1 with keys of its own, which knows no user's configuration. */
final class SshServer {
    private static final Program SSHD = new Program("sshd", "openssh-server");
    /** The cipher of the other rows, which is not the default of OpenSSH. */
    private static final String CIPHER = "aes256-gcm@openssh.com";

    private final Site site;
    private final Path directory;
    private final int port = Ports.free();
    private @Nullable ManagedProcess process;

    SshServer(Site site) {
        this.site = site;
        this.directory = site.directory().resolve("ssh");
    }

    /** Starts the server, unless it runs. */
    void start() throws InterruptedException {
        if (process != null) {
            return;
        }
        Path program = SSHD.find().orElseThrow(() -> new BenchException(SSHD.missing()));
        try {
            Files.createDirectories(directory);
            makeKey("host");
            makeKey("user");
            Files.writeString(directory.resolve("config"), configuration());
        } catch (IOException e) {
            throw new BenchException("cannot configure sshd: " + e.getMessage(), e);
        }
        List<String> command = List.of(
                program.toString(),
                "-D",
                "-e",
                "-f",
                directory.resolve("config").toString());
        ManagedProcess started =
                ManagedProcess.start("sshd", command, site.environment(), directory.resolve("sshd.log"));
        process = started;
        Ports.await(started, port);
    }

    private void makeKey(String name) throws InterruptedException, IOException {
        Path key = directory.resolve(name);
        Files.deleteIfExists(key);
        String said = Output.of(
                List.of("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key.toString()), site.environment());
        if (!Files.exists(key)) {
            throw new BenchException("ssh-keygen failed: " + said);
        }
    }

    private String configuration() {
        return """
                Port %d
                ListenAddress 127.0.0.1
                HostKey %s
                AuthorizedKeysFile %s
                PidFile none
                StrictModes no
                UsePAM no
                PermitRootLogin prohibit-password
                PasswordAuthentication no
                Ciphers %s
                Subsystem sftp internal-sftp
                LogLevel ERROR
                """.formatted(port, directory.resolve("host"), directory.resolve("user.pub"), CIPHER);
    }

    /**
     * Returns the options of a client.
     *
     * @param portOption the name of the option for the port, which differs between ssh and scp
     */
    List<String> options(String portOption) {
        return List.of(
                "-F",
                "none",
                "-oIdentitiesOnly=yes",
                "-oUserKnownHostsFile=/dev/null",
                "-oStrictHostKeyChecking=no",
                "-oLogLevel=ERROR",
                "-oCiphers=" + CIPHER,
                "-i",
                directory.resolve("user").toString(),
                portOption,
                Integer.toString(port));
    }

    Map<String, String> environment() {
        return site.environment();
    }

    Path directory() {
        return directory;
    }

    /** Ends the server. Idempotent. */
    void close() {
        ManagedProcess running = process;
        if (running != null) {
            running.close();
            process = null;
        }
    }
}
