package dev.sluice.cli.gateway;

import dev.sluice.cli.command.StandardOptions;
import dev.sluice.cli.demo.DemoGateway;
import dev.sluice.config.yaml.ConfigException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command that runs the gateway. */
@Command(
        name = "gateway",
        description = {
            "Terminates TLS and relays the plaintext to backends.",
            "",
            "Without --config it creates a development certificate, serves a built-in demo page behind it and prints "
                    + "the commands to try.",
            ""
        },
        footer = {
            "",
            "SIGHUP reloads the configuration, SIGUSR1 reopens the access log.",
            "SIGTERM and SIGINT drain: no new connections, open ones finish within the grace period (drain in the "
                    + "configuration). A second signal ends at once.",
            "Exit code: 0 after a drain; 2 when the configuration or the machine prevents a start and a retry would "
                    + "fail too; 75 when a retry may succeed: a file or a listener's name does not exist yet, an "
                    + "address is in use; 1 after an internal error."
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
            description = "Listening address of the demo. Default: " + DemoGateway.DEFAULT_ADDRESS)
    private @Nullable String listen;

    @Option(
            names = "--transport",
            paramLabel = "NAME",
            description = "auto, io_uring or epoll; overrides the configuration.")
    private @Nullable String transport;

    @Option(
            names = "--replace",
            description = "Replace a running gateway with the same admin socket (hot restart): it passes its listening "
                    + "sockets on, drains its connections, and exits. No connection is refused meanwhile.")
    private boolean replace;

    @Mixin
    private final StandardOptions standard = new StandardOptions();

    @Override
    public Integer call() throws ConfigException, IOException, InterruptedException {
        return asRun().run(standard.out());
    }

    GatewayRun asRun() {
        return new GatewayRun(config, listen, transport, replace);
    }
}
