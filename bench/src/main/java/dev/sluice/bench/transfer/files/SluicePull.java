package dev.sluice.bench.transfer.files;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.process.Site;
import dev.sluice.bench.process.SluiceProgram;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The command {@code sluice pull}, with the start of its JVM.
 *
 * @param options further options
 */
record SluicePull(Identity identity, Site site, SluiceServer server, List<String> options) implements Mover {
    @Override
    public void start() {
        // The server is shared.
    }

    @Override
    public long move(Workload workload, Path into) throws InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(
                "pull",
                "127.0.0.1:" + server.port(),
                workload.name(),
                "--quiet",
                "--into=" + into,
                "--key=" + server.clientKey(),
                "--peer=" + server.fingerprint()));
        arguments.addAll(options);
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
