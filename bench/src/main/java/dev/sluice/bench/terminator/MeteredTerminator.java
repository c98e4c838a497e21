package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.process.GatewayYaml;
import dev.sluice.bench.process.ManagedProcess;
import dev.sluice.bench.process.Site;
import dev.sluice.bench.process.SluiceProgram;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Our gateway with its metrics, or without their optional parts: the timing of cryptography, and the endpoint with its
 * sampling each second.
 *
 * @param identity its identity
 * @param gateway the gateway's transport
 * @param adminPort metrics port on 127.0.0.1; 0 for no metrics
 */
record MeteredTerminator(Identity identity, SluiceTerminator gateway, int adminPort) implements Terminator {
    private static final String WITHOUT_TIMING = "-Dsluice.metrics.timing=off";

    @Override
    public boolean tls() {
        return true;
    }

    @Override
    public Terminator again() {
        return new MeteredTerminator(Identity.controlOf(identity.name()), gateway, adminPort);
    }

    @Override
    public Optional<String> unavailable() {
        return gateway.unavailable();
    }

    @Override
    public String version(Site site) throws InterruptedException {
        return gateway.version(site);
    }

    @Override
    public long settleMillis() {
        return gateway.settleMillis();
    }

    @Override
    public ManagedProcess start(Site site, int port, int backendPort) {
        String name = "metered-" + port;
        String yaml = GatewayYaml.of(site, gateway.transport(), port, backendPort);
        String admin = adminPort == 0 ? "" : "admin: {address: \"127.0.0.1:" + adminPort + "\"}\n";
        Path config = site.write(name + ".yaml", yaml + admin);
        List<String> flags = new ArrayList<>(SluiceProgram.classPath());
        if (adminPort == 0) {
            flags.add(WITHOUT_TIMING);
        }
        List<String> command = SluiceTerminator.command(site, flags, List.of("gateway", "--config", config.toString()));
        return ManagedProcess.start(
                identity.name(),
                site.cores().onServerCore(command),
                site.environment(),
                site.directory().resolve(name + ".log"));
    }
}
