package dev.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.certificate.KeyPairFiles;
import dev.sluice.config.log.LogLevel;
import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.Balance;
import dev.sluice.config.model.CertificateConfig;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.LimitsConfig;
import dev.sluice.config.model.ListenerConfig;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.config.model.RecordProtection;
import dev.sluice.config.model.RouteConfig;
import dev.sluice.config.model.ServerNamePattern;
import dev.sluice.config.model.TicketConfig;
import dev.sluice.config.model.TlsOptions;
import dev.sluice.config.model.TransportChoice;
import dev.sluice.gateway.backend.TestNames;
import dev.sluice.gateway.dns.Resolver;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.net.EventLoop;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;

/** A fixture that starts gateways for one test and closes them in an order in which nothing hangs. */
public final class GatewayFixture {
    public static final Duration LIMIT = Waiting.LIMIT;

    /** The protection of records in all tests on this fixture, where it is set; {@code tools/ktls/run} sets it. */
    private static final String RECORDS = System.getProperty("sluice.test.records", "");

    private final EventLoop.Backend transport;
    private final List<AutoCloseable> begun = new ArrayList<>();
    private final Queue<String> errors = new ConcurrentLinkedQueue<>();
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();

    public GatewayFixture(EventLoop.Backend transport) {
        this.transport = transport;
    }

    /** Closes it when the test is over. */
    public <T extends AutoCloseable> T closing(T begunByTest) {
        begun.add(begunByTest);
        return begunByTest;
    }

    /** A gateway with one listener, one certificate and this backend. */
    public Gateway before(TestBackend backend) {
        return start(config(route(backend("backend", ProxyProtocol.NONE, backend.address()))));
    }

    /** The same with other limits. */
    public Gateway before(TestBackend backend, UnaryOperator<LimitsConfig> limits) {
        GatewayConfig config = config(route(backend("backend", ProxyProtocol.NONE, backend.address())));
        return start(Copies.of(config).limits(limits.apply(config.limits())).build());
    }

    public Gateway start(GatewayConfig config) {
        return closing(Gateway.start(config, this::log));
    }

    /** Starts a gateway with a clock for early data. */
    public Gateway start(GatewayConfig config, InstantSource clock) {
        return closing(Gateway.start(config, this::log, clock, Resolver.Maker.SYSTEM));
    }

    /** Starts a gateway with names that a test sets, in place of DNS. */
    public Gateway start(GatewayConfig config, TestNames names) {
        return closing(Gateway.start(config, this::log, InstantSource.system(), names));
    }

    public GatewayConfig config(RouteConfig... routes) {
        return config(listener(List.of("h2", "http/1.1"), TlsOptions.DEFAULT, routes));
    }

    public GatewayConfig config(ListenerConfig listener) {
        TransportChoice choice =
                transport == EventLoop.Backend.EPOLL ? TransportChoice.EPOLL : TransportChoice.IO_URING;
        List<BackendConfig> backends =
                listener.routes().stream().map(RouteConfig::backend).toList();
        return new GatewayConfig(
                List.of(listener),
                listener.certificates(),
                backends,
                limits(),
                2,
                choice,
                TicketConfig.DEFAULT,
                Duration.ofSeconds(5));
    }

    /** In the virtual machine of {@code tools/ktls/run}, which is slow, a first handshake takes many seconds. */
    private static LimitsConfig limits() {
        return RECORDS.isEmpty()
                ? LimitsConfig.DEFAULT
                : Copies.of(LimitsConfig.DEFAULT).handshakeTimeout(LIMIT).build();
    }

    public static ListenerConfig listener(List<String> alpn, TlsOptions tls, RouteConfig... routes) {
        CertificateConfig certificate =
                certificate("test", "localhost", TestCertificates.shared().server());
        return listener(List.of(certificate), alpn, tls, routes);
    }

    public static ListenerConfig listener(
            List<CertificateConfig> certificates, List<String> alpn, TlsOptions tls, RouteConfig... routes) {
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        TlsOptions options = RECORDS.isEmpty() ? tls : tls.withRecords(RecordProtection.valueOf(RECORDS));
        return new ListenerConfig(anyPort, certificates, alpn, options, List.of(routes), "test.yaml:1:1");
    }

    public static CertificateConfig certificate(String name, String serverName, Credential... credentials) {
        List<KeyPairFiles> pairs = Arrays.stream(credentials)
                .map(credential -> new KeyPairFiles(
                        credential.chainFile(),
                        credential.keyFile(),
                        credential.key().getAlgorithm(),
                        Instant.MIN,
                        Instant.MAX))
                .toList();
        return new CertificateConfig(name, pairs, List.of(new ServerNamePattern(serverName)));
    }

    public static RouteConfig route(BackendConfig backend) {
        return RouteConfig.toAll(backend);
    }

    public static BackendConfig backend(String name, ProxyProtocol proxyProtocol, SocketAddress... servers) {
        return new BackendConfig(name, List.of(servers), Balance.ROUND_ROBIN, proxyProtocol, Duration.ofMillis(500));
    }

    /** Waits until as many connections have ended for the reason. */
    public static void awaitEnds(Gateway gateway, String reason, long count) {
        Waiting.until(
                LIMIT,
                () -> gateway.metrics().count(Metric.CONNECTION_ENDS, "reason", reason) >= count,
                () -> "expected " + reason + "=" + count + ", ends are "
                        + gateway.metrics().countBy(Metric.CONNECTION_ENDS, "reason"));
        assertThat(gateway.metrics().count(Metric.CONNECTION_ENDS, "reason", reason))
                .isEqualTo(count);
    }

    /** Returns the gateway's log so far, one line each. */
    public List<String> lines() {
        return List.copyOf(lines);
    }

    /** Takes a line of a gateway that a test has started otherwise. */
    void line(LogLevel level, String line) {
        log(level, line);
    }

    private void log(LogLevel level, String line) {
        lines.add(line);
        if (level == LogLevel.ERROR) {
            errors.add(line);
        }
    }

    /** Ends the test. */
    public void close() throws Exception {
        for (AutoCloseable last : begun.reversed()) {
            last.close();
        }
        assertThat(errors).as("errors of our own").isEmpty();
    }
}
