package dev.sluice.bench.idle;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Role;
import dev.sluice.bench.process.GatewayYaml;
import dev.sluice.bench.process.ManagedProcess;
import dev.sluice.bench.process.OpenSslVersion;
import dev.sluice.bench.process.Output;
import dev.sluice.bench.process.Site;
import dev.sluice.bench.process.SluiceProgram;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The gateway with one event loop. It drains without a grace period, so that the time to drain is that of the work. The
 * idle timeout is longer than the run; idle connections are looked for in each eighth of it.
 *
 * @param transport its transport, as named in the configuration
 */
record RestingSluice(String transport) implements RestingServer {
    /** The launcher makes the JVM trim the C library's heap every 5 s. */
    private static final long SETTLE_MILLIS = 5_500;

    @Override
    public Identity identity() {
        return Identity.of("Sluice, " + transport, Role.SUBJECT);
    }

    @Override
    public Optional<String> unavailable() {
        return SluiceProgram.unavailable();
    }

    @Override
    public String version(Site site) throws InterruptedException {
        String said = Output.of(SluiceProgram.command(site, List.of(), List.of("version")), site.environment());
        String version = said.lines().findFirst().orElse("unknown").replaceFirst("sluice\\s+", "");
        return version + " on OpenSSL " + OpenSslVersion.ofSluice(said);
    }

    @Override
    public long settleMillis() {
        return SETTLE_MILLIS;
    }

    @Override
    public boolean isJvm() {
        return true;
    }

    @Override
    public ManagedProcess start(Site site, int port, List<Integer> backendPorts, int connections) {
        String name = "sluice-" + port;
        Path config = site.write(
                name + ".yaml",
                GatewayYaml.of(site, transport, port, backendPorts) + "drain: 0s\nlimits: {idle-timeout: 20m}\n");
        List<String> command =
                SluiceProgram.command(site, List.of(), List.of("gateway", "--config", config.toString()));
        return ManagedProcess.start(
                name,
                site.cores().onServerCore(command),
                site.environment(),
                site.directory().resolve(name + ".log"));
    }
}
