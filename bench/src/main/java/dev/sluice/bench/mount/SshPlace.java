package dev.sluice.bench.mount;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.process.ManagedProcess;
import dev.sluice.bench.process.Output;
import dev.sluice.bench.process.Ports;
import dev.sluice.bench.process.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** sshfs over an sshd of its own on the loopback address, with AES-256-GCM and otherwise its defaults. */
final class SshPlace {
    private static final Program SSHFS = new Program("sshfs", "sshfs");
    private static final Program SSHD = new Program("sshd", "openssh-server");
    private static final Program KEYGEN = new Program("ssh-keygen", "openssh-client");
    private static final Path MOUNTS = Path.of("/proc/self/mounts");
    private static final Path SEPARATION = Path.of("/run/sshd");
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int POLL_MILLIS = 20;

    private SshPlace() {}

    static Place open(Path served, Path scratch) throws IOException, InterruptedException {
        String sshfs = required(SSHFS);
        Path directory = Files.createDirectory(scratch.resolve("mounted"));
        int port = Ports.free();
        ManagedProcess server = server(scratch, port);
        try {
            Ports.await(server, port);
            String known = "[127.0.0.1]:" + port + " " + Files.readString(scratch.resolve("host.pub"));
            Files.writeString(scratch.resolve("known"), known);
            List<String> command = List.of(
                    sshfs,
                    "-f",
                    System.getProperty("user.name") + "@127.0.0.1:" + served,
                    directory.toString(),
                    "-p",
                    String.valueOf(port),
                    "-o",
                    "IdentityFile=" + scratch.resolve("user") + ",UserKnownHostsFile=" + scratch.resolve("known")
                            + ",IdentitiesOnly=yes,StrictHostKeyChecking=yes,Ciphers=aes256-gcm@openssh.com");
            ManagedProcess client = ManagedProcess.start("sshfs", command, Map.of(), scratch.resolve("sshfs.log"));
            Place place = Place.mounted(directory, List.of(client, server));
            awaitMount(directory, client, server);
            return place;
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    private static ManagedProcess server(Path scratch, int port) throws IOException, InterruptedException {
        for (String key : List.of("host", "user")) {
            String file = scratch.resolve(key).toString();
            Output.of(List.of(required(KEYGEN), "-q", "-t", "ed25519", "-N", "", "-f", file), Map.of());
        }
        // Debian's sshd insists on it.
        Files.createDirectories(SEPARATION);
        Path config = Files.writeString(scratch.resolve("sshd_config"), configuration(scratch, port));
        List<String> command = List.of(required(SSHD), "-D", "-e", "-f", config.toString());
        return ManagedProcess.start("sshd", command, Map.of(), scratch.resolve("sshd.log"));
    }

    private static String configuration(Path scratch, int port) {
        return String.join(
                "\n",
                "Port " + port,
                "ListenAddress 127.0.0.1",
                "HostKey " + scratch.resolve("host"),
                "AuthorizedKeysFile " + scratch.resolve("user.pub"),
                "PidFile none",
                "UsePAM no",
                "PasswordAuthentication no",
                "PermitRootLogin prohibit-password",
                "StrictModes no",
                "Subsystem sftp internal-sftp",
                "");
    }

    private static void awaitMount(Path directory, ManagedProcess client, ManagedProcess server)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + LIMIT_NANOS;
        while (!Files.readString(MOUNTS).contains(" " + directory + " fuse.sshfs ")) {
            server.requireAlive();
            client.requireAlive();
            if (System.nanoTime() - end > 0) {
                client.close();
                throw new BenchException("sshfs has not mounted: " + client.logTail());
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    private static String required(Program program) {
        return program.find()
                .orElseThrow(() -> new BenchException(program.missing()))
                .toString();
    }
}
