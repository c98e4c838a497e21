package dev.sluice.bench.idle;

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
import java.util.stream.Collectors;

/** nginx's stream module with one worker. */
record RestingNginx() implements RestingServer {
    private static final Program NGINX = new Program("nginx", "nginx libnginx-mod-stream");
    /** The paths of the module in distributions that do not build it in. */
    private static final List<Path> STREAM_MODULES = List.of(
            Path.of("/usr/lib/nginx/modules/ngx_stream_module.so"),
            Path.of("/usr/lib64/nginx/modules/ngx_stream_module.so"));

    @Override
    public Identity identity() {
        return Identity.of("nginx", Role.PEER);
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
    public long settleMillis() {
        return 0;
    }

    @Override
    public boolean isJvm() {
        return false;
    }

    @Override
    public ManagedProcess start(Site site, int port, List<Integer> backendPorts, int connections) {
        String name = "nginx-" + port;
        Path config = site.write(name + ".conf", config(site, port, backendPorts, connections));
        List<String> command =
                List.of(executable(), "-p", site.directory().toString(), "-c", config.toString(), "-e", "stderr");
        return ManagedProcess.start(
                name,
                site.cores().onServerCore(command),
                site.environment(),
                site.directory().resolve(name + ".log"));
    }

    private static String executable() {
        return NGINX.find().orElseThrow().toString();
    }

    private static String config(Site site, int port, List<Integer> backendPorts, int connections) {
        // As root the worker would become nobody, without access to the temporary directory.
        String user = "root".equals(System.getProperty("user.name")) ? "user root;\n" : "";
        return STREAM_MODULES.stream()
                        .filter(Files::exists)
                        .limit(1)
                        .map(file -> "load_module " + file + ";\n")
                        .collect(Collectors.joining())
                + user
                + """
                daemon off;
                worker_processes 1;
                worker_rlimit_nofile %d;
                pid nginx-%d.pid;
                error_log stderr crit;
                events { worker_connections %d; }
                stream {
                    access_log off;
                    upstream backends { %s }
                    server {
                        listen 127.0.0.1:%d ssl backlog=4096;
                        proxy_pass backends;
                        proxy_timeout 20m;
                        ssl_certificate %s;
                        ssl_certificate_key %s;
                        ssl_protocols %s;
                        ssl_conf_command Ciphersuites %s;
                        ssl_ecdh_curve X25519;
                        ssl_session_tickets on;
                    }
                }
                """.formatted(
                                Usage.descriptorLimit(),
                                port,
                                2 * connections + OTHER_DESCRIPTORS,
                                backendPorts.stream()
                                        .map(each -> "server 127.0.0.1:" + each + ";")
                                        .collect(Collectors.joining(" ")),
                                port,
                                site.certificate().chain(),
                                site.certificate().key(),
                                TlsProfile.PROTOCOL,
                                TlsProfile.SUITE);
    }
}
