package dev.sluice.bench;

import dev.sluice.bench.terminator.Peer;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command that measures the gateway on one transport and one OpenSSL. */
abstract class OneGatewayCommand extends MeasuringCommand {
    @Option(
            names = "--quick",
            description = "Fewer and shorter rounds: half a minute to a minute, for a first estimate.")
    private boolean quick;

    @Mixin
    private final GatewayOptions gateway = new GatewayOptions();

    /** Returns whether a quick estimate is sufficient. */
    final boolean quick() {
        return quick;
    }

    /** Returns the gateway. */
    final Peer gateway() {
        return gateway.gateway();
    }

    /** Returns the directory of the OpenSSL libraries, if set. */
    final Optional<Path> openssl() {
        return gateway.openssl();
    }
}
