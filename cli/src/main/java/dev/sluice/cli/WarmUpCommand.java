package dev.sluice.cli;

import dev.sluice.gateway.Gateway;
import dev.sluice.gateway.GatewayLog;
import dev.sluice.gateway.OpenSslCheck;
import dev.sluice.gateway.config.BackendConfig;
import dev.sluice.gateway.config.ConfigException;
import dev.sluice.gateway.config.ConfigFile;
import dev.sluice.gateway.config.GatewayConfig;
import dev.sluice.gateway.config.TransportChoice;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * Serves one page to itself, on each transport, and ends. The launcher records this run in the JVM's AOT cache, so that a
 * gateway finds the classes that it needs loaded and linked.
 */
@Command(
        name = "warm-up",
        hidden = true,
        description = "Serves one page to itself and ends; the launcher records it for a fast start.")
final class WarmUpCommand implements Callable<Integer> {
    private static final Duration GRACE = Duration.ofSeconds(5);

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli's
    private final HelpOption help = new HelpOption();

    @Override
    public Integer call()
            throws IOException, ConfigException, InterruptedException, ExecutionException, TimeoutException {
        Path directory = Files.createTempDirectory("sluice-warm-up");
        try (DemoGateway demo = DemoGateway.prepare("127.0.0.1:0", directory)) {
            demo.printCommands(
                    new PrintWriter(Writer.nullWriter()),
                    demo.config().listeners().getFirst().address());
            GatewayConfig config = ConfigFile.read(write(directory, demo.config()), new OpenSslCheck());
            for (TransportChoice transport : List.of(TransportChoice.EPOLL, TransportChoice.AUTO)) {
                serveOnePage(config.withTransport(transport), demo.trusted());
            }
            PrintWriter out = spec.commandLine().getOut();
            out.println("served one page on each transport");
            out.flush();
            return ExitCode.OK;
        } finally {
            delete(directory);
        }
    }

    private static void serveOnePage(GatewayConfig config, Path trusted)
            throws InterruptedException, ExecutionException, TimeoutException {
        GatewayLog log = new StderrLog(System.err);
        try (Gateway gateway = Gateway.start(config, log)) {
            String page = PageClient.fetch(gateway.addresses().getFirst(), trusted);
            log.info(page.lines().findFirst().orElse("(no answer)"));
            gateway.drain(GRACE);
        }
    }

    /** The demo as a file, so that the reader of configurations runs too. */
    private static Path write(Path directory, GatewayConfig demo) throws IOException {
        BackendConfig backend = demo.backends().getFirst();
        return Files.writeString(directory.resolve("sluice.yaml"), """
                listeners:
                  - {address: 127.0.0.1:0, certificates: [development], alpn: [http/1.1], backend: demo}
                certificates:
                  development: {chain: development.pem, key: development.key}
                backends:
                  demo: {servers: ["%s"], proxy-protocol: v2}
                limits: {handshake-timeout: 5s}
                """.formatted(
                        BackendConfig.text(backend.servers().getFirst())));
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
