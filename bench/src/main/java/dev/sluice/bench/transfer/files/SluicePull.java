package dev.sluice.bench.transfer.files;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.process.Site;
import dev.sluice.bench.process.SluiceProgram;
import java.nio.file.Path;
import java.util.List;

/** The command {@code sluice pull}, with the start of its JVM. */
record SluicePull(Identity identity, Site site, SluiceServer server) implements Mover {
    @Override
    public void start() {
        // The server is shared.
    }

    @Override
    public long move(Workload workload, Path into) throws InterruptedException {
        List<String> arguments = List.of(
                "pull",
                "127.0.0.1:" + server.port(),
                workload.name(),
                "--quiet",
                "--into=" + into,
                "--key=" + server.clientKey(),
                "--peer=" + server.fingerprint());
        return TimedCommand.run(
                identity.name(),
                SluiceProgram.command(site, List.of(), arguments),
                site.environment(),
                site.directory().resolve("pull.log"));
    }

    @Override
    public void close() {
        // The server is shared.
    }
}
