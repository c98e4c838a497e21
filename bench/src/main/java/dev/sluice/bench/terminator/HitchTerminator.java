package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Role;
import dev.sluice.bench.load.TlsProfile;
import dev.sluice.bench.process.ManagedProcess;
import dev.sluice.bench.process.OpenSslVersion;
import dev.sluice.bench.process.Output;
import dev.sluice.bench.process.Program;
import dev.sluice.bench.process.Site;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * hitch with one worker. It only terminates TLS.
 *
 * @param identity its identity
 */
record HitchTerminator(Identity identity) implements Terminator {
    private static final Program HITCH = new Program("hitch", "hitch");

    /** Returns the peer that terminates TLS. */
    static HitchTerminator terminating() {
        return new HitchTerminator(Identity.of("hitch", Role.PEER));
    }

    @Override
    public boolean tls() {
        return true;
    }

    @Override
    public Terminator again() {
        return new HitchTerminator(Identity.controlOf(identity.name()));
    }

    @Override
    public Optional<String> unavailable() {
        return HITCH.find().isPresent() ? Optional.empty() : Optional.of(HITCH.missing());
    }

    /** Returns the version; hitch does not report its OpenSSL, so the dynamically linked library is inspected. */
    @Override
    public String version(Site site) throws InterruptedException {
        String said = Output.of(List.of(executable(), "--version"), site.environment());
        String version = said.lines().findFirst().orElse("hitch unknown").replaceFirst("hitch ", "");
        return version + " on OpenSSL " + OpenSslVersion.ofLinked(HITCH, site.environment());
    }

    @Override
    public ManagedProcess start(Site site, int port, int backendPort) {
        String name = "hitch-" + port;
        Path config = site.write(name + ".conf", config(site, port, backendPort));
        return ManagedProcess.start(
                identity.name(),
                site.cores().onServerCore(List.of(executable(), "--config=" + config)),
                site.environment(),
                site.directory().resolve(name + ".log"));
    }

    private static String executable() {
        return HITCH.find().orElseThrow().toString();
    }

    private static String config(Site site, int port, int backendPort) {
        // As root it refuses to run workers without an explicit user.
        String user = "root".equals(System.getProperty("user.name")) ? "user = \"root\"\ngroup = \"root\"\n" : "";
        return user
                + """
                frontend = {
                    host = "127.0.0.1"
                    port = "%d"
                }
                backend = "[127.0.0.1]:%d"
                pem-file = "%s"
                tls-protos = %s
                ciphersuites = "%s"
                ecdh-curve = "X25519"
                workers = 1
                backlog = 4096
                ocsp-dir = ""
                daemon = off
                log-level = 0
                """.formatted(port, backendPort, site.certificate().both(), TlsProfile.PROTOCOL, TlsProfile.SUITE);
    }
}
