package dev.sluice.bench;

import dev.sluice.bench.terminator.Peer;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A command that measures the gateway on one transport and one OpenSSL. */
abstract class OneGatewayCommand extends MeasuringCommand {
    @Option(
            names = "--quick",
            description = "Fewer and shorter rounds: half a minute to a minute, for a first impression.")
    private boolean quick;

    @Option(names = "--epoll", description = "The gateway runs on epoll, not on io_uring.")
    private boolean epoll;

    @Option(
            names = "--openssl",
            paramLabel = "DIR",
            description = "Directory with libssl.so.3 and libcrypto.so.3; without it, the system's.")
    private @Nullable Path openssl;

    /** Whether a first impression is enough. */
    final boolean quick() {
        return quick;
    }

    /** The gateway. */
    final Peer gateway() {
        return epoll ? Peer.SLUICE_EPOLL : Peer.SLUICE_IO_URING;
    }

    /** Where the library is, if it was said. */
    final Optional<Path> openssl() {
        return Optional.ofNullable(openssl).map(Path::toAbsolutePath);
    }
}
