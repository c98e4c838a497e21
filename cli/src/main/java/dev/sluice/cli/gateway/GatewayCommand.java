package dev.sluice.cli.gateway;

import dev.sluice.cli.command.HelpOption;
import dev.sluice.cli.demo.DemoGateway;
import dev.sluice.gateway.config.ConfigException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
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
            "Exit code: 0 after a drain; 2 when the configuration or the machine does not allow a start, and another"
                    + " try would fail as well; 75 when what is missing may come by itself: a file or a listener's name"
                    + " that is not there yet, an address in use; 1 after an error in Sluice itself."
        })
public final class GatewayCommand implements Callable<Integer> {
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

    @Option(
            names = "--replace",
            description =
                    "Take the place of a running gateway with the same admin socket: it passes its listening sockets on,"
                            + " serves the connections that it has, and ends. No connection is refused meanwhile.")
    private boolean replace;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli's
    private final HelpOption help = new HelpOption();

    @Override
    public Integer call() throws ConfigException, IOException, InterruptedException {
        return asRun().run(spec.commandLine().getOut());
    }

    GatewayRun asRun() {
        return new GatewayRun(config, listen, transport, replace);
    }
}
