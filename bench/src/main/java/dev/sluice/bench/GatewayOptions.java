package dev.sluice.bench;

import dev.sluice.bench.terminator.Peer;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of a benchmark with one gateway: its transport and its OpenSSL. */
final class GatewayOptions {
    @Option(names = "--epoll", description = "Run the gateway on epoll instead of io_uring.")
    private boolean epoll;

    @Mixin
    private final OpenSslOption openssl = new OpenSslOption();

    /** Returns the gateway. */
    Peer gateway() {
        return epoll ? Peer.SLUICE_EPOLL : Peer.SLUICE_IO_URING;
    }

    /** Returns the gateway's transport, as named in the configuration. */
    String transport() {
        return epoll ? "epoll" : "io_uring";
    }

    /** Returns the directory of the OpenSSL libraries, if set. */
    Optional<Path> openssl() {
        return openssl.directory();
    }
}
