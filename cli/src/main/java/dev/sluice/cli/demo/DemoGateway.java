package dev.sluice.cli.demo;

import dev.sluice.cli.command.RefusedException;
import dev.sluice.config.certificate.KeyPairFiles;
import dev.sluice.config.model.AdminConfig;
import dev.sluice.config.model.AdminHttpConfig;
import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.Balance;
import dev.sluice.config.model.CertificateConfig;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.LimitsConfig;
import dev.sluice.config.model.ListenerConfig;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.config.model.RouteConfig;
import dev.sluice.config.model.ServerNamePattern;
import dev.sluice.config.model.TicketConfig;
import dev.sluice.config.model.TlsOptions;
import dev.sluice.config.model.TransportChoice;
import dev.sluice.config.monitoring.AlertConfig;
import dev.sluice.config.yaml.Addresses;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/** The gateway of {@code sluice gateway} without a configuration: the demo page behind a development certificate. */
public final class DemoGateway implements AutoCloseable {
    /** The default listening address. */
    public static final String DEFAULT_ADDRESS = "127.0.0.1:8443";

    /** The address of the dashboard. */
    private static final InetSocketAddress ADMIN = Addresses.toListen("127.0.0.1:9900");

    /** A short grace period: browsers keep their connections open for minutes. */
    private static final Duration GRACE = Duration.ofSeconds(2);

    /** Three descriptors per connection, including the demo backend's own, fit into a common limit. */
    private static final int CONNECTIONS = 5_000;

    private final InetSocketAddress address;
    private final DevelopmentCertificate certificate;
    private final DemoBackend backend;

    private DemoGateway(InetSocketAddress address, DevelopmentCertificate certificate, DemoBackend backend) {
        this.address = address;
        this.certificate = certificate;
        this.backend = backend;
    }

    /** Creates the certificate if absent, and starts the backend. */
    public static DemoGateway prepare(String listen, Path state) throws IOException {
        InetSocketAddress address = address(listen);
        return new DemoGateway(address, DevelopmentCertificate.in(state), DemoBackend.start());
    }

    /**
     * Creates the certificate and starts the backend of a gateway on a port that the kernel chooses, whose backend has
     * platform threads: they inherit the caller's priority. Virtual threads would run on carriers that the process
     * shares, and that would keep this priority, or another one, for other work.
     *
     * @param directory for the certificate; it may be deleted when clients and gateway have read the files
     */
    public static DemoGateway onOwnThreads(Path directory) throws IOException {
        ThreadFactory factory =
                Thread.ofPlatform().name("demo-connection").daemon().factory();
        return new DemoGateway(
                address("127.0.0.1:0"),
                DevelopmentCertificate.in(directory),
                DemoBackend.start(Executors.newCachedThreadPool(factory)));
    }

    private static InetSocketAddress address(String listen) {
        try {
            return Addresses.toListen(listen);
        } catch (IllegalArgumentException bad) {
            throw new RefusedException("--listen: " + bad.getMessage());
        }
    }

    public GatewayConfig config() {
        CertificateConfig served = new CertificateConfig(
                "development",
                List.of(new KeyPairFiles(
                        certificate.chainFile(),
                        certificate.keyFile(),
                        "EC",
                        certificate.notBefore(),
                        certificate.notAfter())),
                List.of(new ServerNamePattern("localhost")));
        BackendConfig demo = new BackendConfig(
                "demo",
                List.of(backend.address()),
                Balance.ROUND_ROBIN,
                ProxyProtocol.V2,
                BackendConfig.DEFAULT_CONNECT_TIMEOUT);
        ListenerConfig listener = new ListenerConfig(
                address,
                List.of(served),
                List.of("http/1.1"),
                TlsOptions.DEFAULT,
                List.of(RouteConfig.toAll(demo)),
                "--listen");
        return new GatewayConfig(
                        List.of(listener),
                        List.of(served),
                        List.of(demo),
                        LimitsConfig.DEFAULT.withConnections(CONNECTIONS),
                        GatewayConfig.defaultLoops(),
                        TransportChoice.AUTO,
                        TicketConfig.DEFAULT,
                        GRACE)
                .withAdmin(AdminConfig.NONE.withHttp(AdminHttpConfig.local(ADMIN)))
                .withAlerts(AlertConfig.DEFAULT);
    }

    /**
     * Prints commands to try.
     *
     * @param listening the gateway's address
     */
    public void printCommands(PrintWriter out, InetSocketAddress listening) {
        String where = "localhost:" + listening.getPort();
        String trust = certificate.chainFile().toString();
        out.println();
        out.println((certificate.created() ? "Created a" : "Using the") + " development certificate, valid until "
                + certificate.notAfter());
        out.println("  file     " + trust);
        out.println("  SHA-256  " + certificate.sha256());
        out.println();
        out.println("Try it:");
        out.println("  curl --cacert " + trust + " https://" + where + "/json");
        out.println("  openssl s_client -connect " + where + " -servername localhost -CAfile " + trust
                + " -alpn http/1.1 -brief");
        out.println("  a browser at https://" + where + "/ (it warns of the unknown certificate)");
        out.println("  dashboard: http://" + BackendConfig.text(ADMIN) + "/, or ./sluice top");
        out.println();
        out.flush();
    }

    /** Returns the certificate file for clients to trust. */
    public Path trusted() {
        return certificate.chainFile();
    }

    @Override
    public void close() throws IOException {
        backend.close();
    }
}
