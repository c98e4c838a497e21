package dev.sluice.gateway;

import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.TransportChoice;
import dev.sluice.config.read.ConfigFile;
import dev.sluice.config.yaml.ConfigException;
import dev.sluice.gateway.certificate.OpenSslCheck;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.net.EventLoop;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * A gateway that is started by a configuration file, with a backend that greets, and {@code openssl s_client} before
 * it.
 */
public final class ConfiguredGateway {
    public static final String GREETING = "hello from behind";

    private final EventLoop.Backend transport;
    private final Path file;
    private final String backend;
    private final Gateway gateway;

    /** Holds what is served, as in operation. */
    private OpenSslCheck served = new OpenSslCheck();

    private ConfiguredGateway(
            GatewayFixture fixture,
            EventLoop.Backend transport,
            Path file,
            String backend,
            String yaml,
            InstantSource clock) {
        this.transport = transport;
        this.file = file;
        this.backend = backend;
        fixture.closing(() -> served.close());
        this.gateway = fixture.start(config(yaml, served), clock);
    }

    /**
     * Starts one; it ends with the test.
     *
     * @param directory where relative paths start
     * @param yaml a listener's lines but for its address and backend, and the certificates; instead of a backend it may
     *     have routes, to {@code main} and to {@code ahead}, the same one connected at the hello
     */
    public static ConfiguredGateway start(
            GatewayFixture fixture, EventLoop.Backend transport, Path directory, String yaml) {
        return start(fixture, transport, directory, yaml, InstantSource.system());
    }

    /** The same with a clock for OCSP responses and metrics. */
    public static ConfiguredGateway start(
            GatewayFixture fixture, EventLoop.Backend transport, Path directory, String yaml, InstantSource clock) {
        TestBackend greeter = fixture.closing(TestBackend.saying(GREETING));
        String backend = "{servers: [\"127.0.0.1:" + greeter.address().getPort() + "\"]}";
        return new ConfiguredGateway(fixture, transport, directory.resolve("sluice.yaml"), backend, yaml, clock);
    }

    public Gateway gateway() {
        return gateway;
    }

    int port() {
        return gateway.addresses().getFirst().getPort();
    }

    /** Takes up another configuration, or what is new in the files that it names. */
    public void reload(String yaml) {
        take(yaml, OpenSslCheck.ofReload(served));
    }

    /** Takes up files that have changed by themselves. */
    public void renew(String yaml) {
        take(yaml, OpenSslCheck.ofRenewal(served, file -> false));
    }

    private void take(String yaml, OpenSslCheck check) {
        gateway.reload(config(yaml, check), check);
        served.close();
        served = check;
    }

    /** Waits until an alert fires, 1, or does not, 0. */
    public void awaitFiring(String alert, double firing) {
        Waiting.until(
                GatewayFixture.LIMIT,
                () -> gateway.metrics().samples(Metric.ALERT_FIRING).stream()
                        .anyMatch(sample -> sample.labelValues().contains(alert) && sample.value() == firing),
                () -> alert + " is not " + firing + ": " + gateway.alerts().alerts());
    }

    private GatewayConfig config(String yaml, OpenSslCheck check) {
        String destination = yaml.contains("    routes:") ? "" : "    backend: main\n";
        String whole =
                yaml.replace("  - certificates:", "  - address: 127.0.0.1:0\n" + destination + "    certificates:")
                        + "backends:\n  main: " + backend + "\n"
                        + "  ahead: " + backend.replace("}", ", connect: at-hello}") + "\n";
        try {
            Files.writeString(file, whole);
            return Copies.of(ConfigFile.read(file, check))
                    .loops(2)
                    .build()
                    .withTransport(
                            transport == EventLoop.Backend.EPOLL ? TransportChoice.EPOLL : TransportChoice.IO_URING);
        } catch (IOException | ConfigException e) {
            throw new AssertionError(whole, e);
        }
    }

    /** All that s_client writes when it asks for a host; it trusts the tests' authority. */
    public String ask(String host, String... arguments) {
        return askBy(ForeignProgram.required("openssl", "openssl"), host, arguments);
    }

    /** The same by another openssl than the system's. */
    public String askBy(ForeignProgram openssl, String host, String... arguments) {
        List<String> all = new ArrayList<>(List.of(
                "s_client",
                "-ign_eof",
                "-connect",
                "127.0.0.1:" + port(),
                "-servername",
                host,
                "-CAfile",
                TestCertificates.shared().rootFile().toString()));
        all.addAll(List.of(arguments));
        ForeignResult result =
                openssl.command(all.toArray(String[]::new)).input("hello\n").run();
        return result.output() + result.errors();
    }
}
