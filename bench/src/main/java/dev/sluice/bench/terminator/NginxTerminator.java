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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * nginx's stream module with one worker.
 *
 * @param identity its identity
 * @param tls true to terminate TLS, false to relay TCP
 */
record NginxTerminator(Identity identity, boolean tls) implements Terminator {
    private static final int MOST_CONNECTIONS = 20_400;
    private static final Program NGINX = new Program("nginx", "nginx libnginx-mod-stream");
    /** The paths of the module in distributions that do not build it in. */
    private static final List<Path> STREAM_MODULES = List.of(
            Path.of("/usr/lib/nginx/modules/ngx_stream_module.so"),
            Path.of("/usr/lib64/nginx/modules/ngx_stream_module.so"));

    /** Returns the peer that terminates TLS. */
    static NginxTerminator terminating() {
        return new NginxTerminator(Identity.of("nginx", Role.PEER), true);
    }

    /** Returns the plain relay: a terminator with free TLS. */
    static NginxTerminator relaying() {
        return new NginxTerminator(Identity.of("nginx, plain TCP", Role.FLOOR), false);
    }

    @Override
    public Terminator again() {
        return new NginxTerminator(Identity.controlOf(identity.name()), tls);
    }

    @Override
    public Optional<String> unavailable() {
        return NGINX.find().isPresent() ? Optional.empty() : Optional.of(NGINX.missing());
    }

    @Override
    public String version(Site site) throws InterruptedException {
        String said = Output.of(List.of(executable(), "-V"), site.environment());
        String version =
                said.lines().findFirst().orElse("nginx version: unknown").replaceFirst(".*nginx/", "");
        return version + " on OpenSSL " + OpenSslVersion.ofNginx(said);
    }

    @Override
    public ManagedProcess start(Site site, int port, int backendPort) {
        String name = "nginx-" + port;
        Path config = site.write(name + ".conf", config(site, port, backendPort));
        List<String> command =
                List.of(executable(), "-p", site.directory().toString(), "-c", config.toString(), "-e", "stderr");
        return ManagedProcess.start(
                identity.name(),
                site.cores().onServerCore(command),
                site.environment(),
                site.directory().resolve(name + ".log"));
    }

    private static String executable() {
        return NGINX.find().orElseThrow().toString();
    }

    private String config(Site site, int port, int backendPort) {
        String module = STREAM_MODULES.stream()
                .filter(Files::exists)
                .map(file -> "load_module " + file + ";\n")
                .findFirst()
                .orElse("");
        // As root the worker would become nobody, without access to the temporary directory.
        String user = "root".equals(System.getProperty("user.name")) ? "user root;\n" : "";
        return module
                + user
                + """
                daemon off;
                worker_processes 1;
                worker_rlimit_nofile %5$d;
                pid nginx-%1$d.pid;
                error_log stderr crit;
                events { worker_connections %6$d; }
                stream {
                    access_log off;
                    server {
                        listen 127.0.0.1:%1$d%2$s backlog=4096;
                        proxy_pass 127.0.0.1:%3$d;
                        %4$s
                    }
                }
                """.formatted(
                                port,
                                tls ? " ssl" : "",
                                backendPort,
                                tls ? tlsDirectives(site) : "",
                                Math.min(Usage.descriptorLimit(), MOST_CONNECTIONS),
                                MOST_CONNECTIONS);
    }

    private static String tlsDirectives(Site site) {
        return """
                ssl_certificate %s;
                        ssl_certificate_key %s;
                        ssl_protocols %s;
                        ssl_conf_command Ciphersuites %s;
                        ssl_ecdh_curve X25519;
                        ssl_session_tickets on;
                """.formatted(
                        site.certificate().chain(), site.certificate().key(), TlsProfile.PROTOCOL, TlsProfile.SUITE);
    }
}
