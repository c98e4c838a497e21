package dev.sluice.bench;

import dev.sluice.bench.terminator.Peer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a benchmark that compares servers: which, and on which OpenSSL. */
final class ServerOptions {
    @Option(
            names = "--peers",
            paramLabel = "PEER",
            split = ",",
            description = "Only these servers: ${COMPLETION-CANDIDATES}.")
    private List<Peer> peers;

    @Option(
            names = "--openssl",
            paramLabel = "DIR",
            description = "Directory with libssl.so.3 and libcrypto.so.3 for all servers; without it, the system's.")
    private @Nullable Path openssl;

    /** Creates the options with the servers that run unless others are asked for. */
    ServerOptions(List<Peer> usual) {
        this.peers = usual;
    }

    /** Returns the servers to compare. */
    List<Peer> peers() {
        return peers;
    }

    /** Returns the directory of the OpenSSL libraries, if set. */
    Optional<Path> openssl() {
        return Optional.ofNullable(openssl).map(Path::toAbsolutePath);
    }
}
