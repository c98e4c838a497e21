package dev.sluice.cli;

import dev.sluice.ffi.openssl.OpenSsl;
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
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Terminates TLS. */
@Command(
        name = "gateway",
        description = {
            "Terminates TLS and relays the plaintext to backends.",
            "",
            "Without --config it makes a development certificate, serves a built-in demo page behind it and prints the "
                    + "commands to try.",
            ""
        },
        footer = {
            "",
            "SIGTERM and SIGINT drain: no new connections, open ones finish within the grace period (drain in the "
                    + "configuration). A second signal ends at once.",
            "Exit code: 0 after a drain, 2 when the configuration or the machine does not allow a start."
        })
final class GatewayCommand implements Callable<Integer> {
    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description = "Configuration in YAML; sluice check validates it.")
    private @Nullable Path config;

    @Option(
            names = "--listen",
            paramLabel = "ADDRESS",
            description = "Where the demo listens. Default: " + DemoGateway.DEFAULT_ADDRESS)
    private @Nullable String listen;

    @Option(
            names = "--transport",
            paramLabel = "NAME",
            description = "auto, io_uring or epoll; overrides the configuration.")
    private @Nullable String transport;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli's
    private final HelpOption help = new HelpOption();

    @Override
    public Integer call() throws ConfigException, IOException, InterruptedException {
        GatewayLog log = new StderrLog(System.err);
        if (config != null) {
            if (listen != null) {
                throw new RefusedException("--listen is for the demo; with --config the listeners stand in the file");
            }
            GatewayConfig read = withTransport(ConfigFile.read(config, new OpenSslCheck()));
            serve(read, log, address -> {});
            return ExitCode.OK;
        }
        String where = listen == null ? DemoGateway.DEFAULT_ADDRESS : listen;
        try (DemoGateway demo = DemoGateway.prepare(where, StateDirectory.find())) {
            PrintWriter out = spec.commandLine().getOut();
            serve(withTransport(demo.config()), log, address -> demo.printCommands(out, address));
            return ExitCode.OK;
        }
    }

    private static void serve(GatewayConfig config, GatewayLog log, Consumer<InetSocketAddress> whenListening)
            throws InterruptedException {
        Drain drain = new Drain(log);
        try (Gateway gateway = Gateway.start(config, log)) {
            log.info(OpenSsl.require().describe());
            log.info(config.loops() + (config.loops() == 1 ? " loop on " : " loops on ") + gateway.transport());
            gateway.addresses().forEach(address -> log.info("listening on " + BackendConfig.text(address)));
            whenListening.accept(gateway.addresses().getFirst());
            drain.awaitSignal();
            drain.run(gateway, config.drain());
        }
    }

    private GatewayConfig withTransport(GatewayConfig from) {
        return switch (transport) {
            case null -> from;
            case "auto" -> from.withTransport(TransportChoice.AUTO);
            case "io_uring" -> from.withTransport(TransportChoice.IO_URING);
            case "epoll" -> from.withTransport(TransportChoice.EPOLL);
            default ->
                throw new RefusedException("--transport is \"" + transport + "\"; write one of auto, io_uring, epoll");
        };
    }
}
