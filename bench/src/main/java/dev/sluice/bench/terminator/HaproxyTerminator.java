package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Role;
import dev.sluice.bench.load.TlsProfile;
import dev.sluice.bench.process.ManagedProcess;
import dev.sluice.bench.process.OpenSslVersion;
import dev.sluice.bench.process.Output;
import dev.sluice.bench.process.Program;
import dev.sluice.bench.process.Site;
import dev.sluice.bench.process.Usage;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * HAProxy in mode tcp with one thread.
 *
 * @param identity its identity
 * @param handshakesPerSecond its limit {@code maxsslrate}; 0 for none
 */
record HaproxyTerminator(Identity identity, int handshakesPerSecond) implements Terminator {
    private static final long MOST_CONNECTIONS = 10_200;
    /** Descriptors other than those of connections. */
    private static final long OTHER_DESCRIPTORS = 200;

    private static final Program HAPROXY = new Program("haproxy", "haproxy");

    /** Returns the peer that terminates TLS. */
    static HaproxyTerminator terminating() {
        return new HaproxyTerminator(Identity.of("HAProxy", Role.PEER), 0);
    }

    /** Returns the server with a limit on handshakes. */
    static HaproxyTerminator limited(int handshakesPerSecond) {
        return new HaproxyTerminator(
                Identity.of("HAProxy, maxsslrate " + handshakesPerSecond, Role.PEER), handshakesPerSecond);
    }

    @Override
    public boolean tls() {
        return true;
    }

    @Override
    public Terminator again() {
        return new HaproxyTerminator(Identity.controlOf(identity.name()), handshakesPerSecond);
    }

    @Override
    public Optional<String> unavailable() {
        return HAPROXY.find().isPresent() ? Optional.empty() : Optional.of(HAPROXY.missing());
    }

    @Override
    public String version(Site site) throws InterruptedException {
        String said = Output.of(List.of(executable(), "-vv"), site.environment());
        String version =
                said.lines().findFirst().orElse("HAProxy version unknown").replaceFirst("HAProxy version ", "");
        return version.split(" ", 2)[0] + " on OpenSSL " + OpenSslVersion.ofHaproxy(said);
    }

    @Override
    public ManagedProcess start(Site site, int port, int backendPort) {
        String name = "haproxy-" + port;
        Path config = site.write(name + ".cfg", config(site, port, backendPort));
        return ManagedProcess.start(
                identity.name(),
                site.cores().onServerCore(List.of(executable(), "-db", "-f", config.toString())),
                site.environment(),
                site.directory().resolve(name + ".log"));
    }

    private static String executable() {
        return HAPROXY.find().orElseThrow().toString();
    }

    private String config(Site site, int port, int backendPort) {
        return """
                global
                    nbthread 1
                    maxconn %5$d%7$s
                defaults
                    mode tcp
                    timeout connect 5s
                    timeout client 10m
                    timeout server 10m
                frontend tls
                    bind 127.0.0.1:%1$d backlog 4096 ssl crt %2$s ssl-min-ver %3$s ciphersuites %4$s curves X25519
                    default_backend plain
                backend plain
                    server one 127.0.0.1:%6$d
                """.formatted(
                        port,
                        site.certificate().both(),
                        TlsProfile.PROTOCOL,
                        TlsProfile.SUITE,
                        Math.min(MOST_CONNECTIONS, (Usage.descriptorLimit() - OTHER_DESCRIPTORS) / 2),
                        backendPort,
                        handshakesPerSecond == 0 ? "" : "\n    maxsslrate " + handshakesPerSecond);
    }
}
