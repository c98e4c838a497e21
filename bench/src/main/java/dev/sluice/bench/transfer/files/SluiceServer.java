package dev.sluice.bench.transfer.files;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.process.ManagedProcess;
import dev.sluice.bench.process.Ports;
import dev.sluice.bench.process.Site;
import dev.sluice.bench.process.SluiceProgram;
import dev.sluice.transfer.identity.OwnKey;
import dev.sluice.transfer.identity.OwnKeyType;
import java.nio.file.Path;
import java.util.List;

/** A running {@code sluice serve} on a port of 127.0.0.1, and the keys of both sides. */
final class SluiceServer implements AutoCloseable {
    private final Path clientKey;
    private final String fingerprint;
    private final int port = Ports.free();
    private final ManagedProcess process;

    /** Starts the server of a directory, and waits until it listens. */
    SluiceServer(Site site, Path root) throws InterruptedException {
        SluiceProgram.unavailable().ifPresent(reason -> {
            throw new BenchException(reason);
        });
        Path serverKey = site.directory().resolve("server.pem");
        clientKey = site.directory().resolve("client.pem");
        fingerprint = fingerprint(serverKey);
        List<String> arguments = List.of(
                "serve",
                root.toString(),
                "--quiet",
                "--key=" + serverKey,
                "--peer=" + fingerprint(clientKey),
                "--listen=127.0.0.1:" + port);
        process = ManagedProcess.start(
                "sluice serve",
                SluiceProgram.command(site, List.of(), arguments),
                site.environment(),
                site.directory().resolve("serve.log"));
        Ports.await(process, port);
    }

    private static String fingerprint(Path key) {
        try (OwnKey own = OwnKey.loadOrCreate(key, OwnKeyType.ED25519)) {
            return own.fingerprint().toString();
        }
    }

    int port() {
        return port;
    }

    /** Returns the fingerprint of its key. */
    String fingerprint() {
        return fingerprint;
    }

    /** Returns the file with the key of the side that it allows. */
    Path clientKey() {
        return clientKey;
    }

    @Override
    public void close() {
        process.close();
    }
}
