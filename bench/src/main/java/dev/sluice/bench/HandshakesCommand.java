package dev.sluice.bench;

import dev.sluice.bench.harness.Report;
import dev.sluice.bench.terminator.HandshakesBenchmark;
import dev.sluice.bench.terminator.Peer;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code bench handshakes} command. Exit code 0 when it ran, 2 when it could not. */
@Command(
        name = "handshakes",
        description = {
            "Measures what a handshake costs the gateway and, in memory, libssl: full and resumed, TLS 1.2 and 1.3, RSA-2048 and",
            "ECDSA P-256; beside what is commonly published.",
            "",
            "Servers run on one core, the load on another; rounds are interleaved in balanced order. A full run takes about two",
            "and a half minutes."
        },
        mixinStandardHelpOptions = true)
public final class HandshakesCommand extends MeasuringCommand {
    @Option(names = "--quick", description = "Fewer and shorter rounds: about half a minute, for a first impression.")
    private boolean quick;

    @Option(names = "--epoll", description = "The gateway runs on epoll, not on io_uring.")
    private boolean epoll;

    @Option(
            names = "--openssl",
            paramLabel = "DIR",
            description = "Directory with libssl.so.3 and libcrypto.so.3; without it, the system's.")
    private @Nullable Path openssl;

    /** Made by picocli. */
    public HandshakesCommand() {}

    @Override
    void measure(Report.Style style, PrintStream out) throws InterruptedException {
        new HandshakesBenchmark(options(), style, out, System.err).run();
    }

    private HandshakesBenchmark.Options options() {
        return new HandshakesBenchmark.Options(
                quick,
                rounds(),
                epoll ? Peer.SLUICE_EPOLL : Peer.SLUICE_IO_URING,
                Optional.ofNullable(openssl).map(Path::toAbsolutePath),
                json());
    }
}
