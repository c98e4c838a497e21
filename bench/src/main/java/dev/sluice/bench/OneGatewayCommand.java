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
            description = "Fewer and shorter rounds: half a minute to a minute, for a first estimate.")
    private boolean quick;

    @Option(names = "--epoll", description = "Run the gateway on epoll instead of io_uring.")
    private boolean epoll;

    @Option(
            names = "--openssl",
            paramLabel = "DIR",
            description = "Directory with libssl.so.3 and libcrypto.so.3; without it, the system's.")
    private @Nullable Path openssl;

    /** Returns whether a quick estimate is sufficient. */
    final boolean quick() {
        return quick;
    }

    /** Returns the gateway. */
    final Peer gateway() {
        return epoll ? Peer.SLUICE_EPOLL : Peer.SLUICE_IO_URING;
    }

    /** Returns the directory of the OpenSSL libraries, if set. */
    final Optional<Path> openssl() {
        return Optional.ofNullable(openssl).map(Path::toAbsolutePath);
    }
}
