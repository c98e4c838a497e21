package dev.sluice.cli.gateway;

import dev.sluice.cli.command.ExitCode;
import dev.sluice.cli.command.Signals;
import dev.sluice.cli.demo.DemoGateway;
import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.TransportChoice;
import dev.sluice.config.read.ConfigFile;
import dev.sluice.config.read.ConfigSource;
import dev.sluice.config.read.RememberedHosts;
import dev.sluice.config.yaml.ConfigException;
import dev.sluice.config.yaml.HostLookup;
import dev.sluice.gateway.certificate.OpenSslCheck;
import dev.sluice.gateway.log.ProcessLog;
import dev.sluice.tls.context.ProtocolVersion;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The workload that the launcher records in the JVM's AOT cache: a gateway that serves pages to itself, on each
 * transport and with each TLS version, and ends on a signal. A gateway then finds its classes loaded, linked and
 * profiled.
 *
 * <p>A separate class, not a command: additional classes would make the cache larger, and every start slower.
 */
public final class WarmUp {
    /** Enough for the JVM to profile the data path. */
    private static final int PAGES = 150;

    private static final int DOWNLOADS = 5;
    private static final String DOWNLOAD = "/bytes/4000000";

    private WarmUp() {}

    /** Runs the workload, and ends the process. */
    public static void main(String[] arguments) throws IOException, ConfigException, InterruptedException {
        run();
        System.exit(ExitCode.OK);
    }

    /** Runs the workload. */
    static void run() throws IOException, ConfigException, InterruptedException {
        Path directory = Files.createTempDirectory("sluice-warm-up");
        try (ProcessLog log = new ProcessLog(new FileOutputStream(FileDescriptor.err));
                DemoGateway demo = DemoGateway.prepare("127.0.0.1:0", directory);
                OpenSslCheck check = new OpenSslCheck()) {
            Path file = write(directory, demo.config());
            ConfigSource source = ConfigSource.read(file);
            GatewayConfig config = ConfigFile.parse(source, check);
            for (TransportChoice transport : List.of(TransportChoice.EPOLL, TransportChoice.AUTO)) {
                GatewayRun.serve(config.withTransport(transport), check, log, gateway -> {
                    Reloads.start(
                            new Hangups(),
                            source,
                            FileStamps.of(config.files()),
                            new OpenSslCheck(),
                            UnaryOperator.identity(),
                            new RememberedHosts(HostLookup.SYSTEM),
                            gateway,
                            ServiceManager.NONE,
                            log);
                    useUp(demo, gateway.addresses().getFirst());
                });
            }
        } finally {
            WarmUpLoad.delete(directory);
        }
    }

    /** Fetches pages from a gateway, and ends it. */
    private static void useUp(DemoGateway demo, InetSocketAddress address) {
        demo.printCommands(new PrintWriter(Writer.nullWriter()), address);
        for (ProtocolVersion version : ProtocolVersion.values()) {
            try (PageClient client = PageClient.open(demo.trusted(), version)) {
                for (int i = 0; i < PAGES; i++) {
                    client.fetch(address, "/");
                }
                for (int i = 0; i < DOWNLOADS; i++) {
                    client.fetch(address, DOWNLOAD);
                }
            }
        }
        Signals.terminate();
    }

    /** Writes the demo as a file, so that the configuration reader runs too. */
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
                        backend.servers().getFirst().text()));
    }
}
