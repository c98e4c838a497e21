package dev.sluice.bench;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.harness.Report;
import dev.sluice.bench.terminator.HandshakesBenchmark;
import dev.sluice.bench.terminator.Peer;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

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
public final class HandshakesCommand implements Callable<Integer> {
    /** The exit code for what the command line or the machine does not allow. */
    private static final int REFUSED = 2;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(names = "--rounds", paramLabel = "N", description = "Counted rounds.")
    private @Nullable Integer rounds;

    @Option(names = "--quick", description = "Fewer and shorter rounds: about half a minute, for a first impression.")
    private boolean quick;

    @Option(names = "--epoll", description = "The gateway runs on epoll, not on io_uring.")
    private boolean epoll;

    @Option(
            names = "--openssl",
            paramLabel = "DIR",
            description = "Directory with libssl.so.3 and libcrypto.so.3; without it, the system's.")
    private @Nullable Path openssl;

    @Option(names = "--json", paramLabel = "FILE", description = "Write every round to FILE, a JSON object per line.")
    private @Nullable Path json;

    @Option(names = "--markdown", description = "Print the tables as Markdown.")
    private boolean markdown;

    /** Made by picocli. */
    public HandshakesCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        if (rounds != null && rounds < 1) {
            throw new ParameterException(spec.commandLine(), "--rounds must be at least 1, rounds=" + rounds);
        }
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        Report.Style style = markdown ? Report.Style.MARKDOWN : Report.Style.TEXT;
        try {
            new HandshakesBenchmark(options(), style, out, System.err).run();
            return 0;
        } catch (BenchException e) {
            System.err.println("sluice bench: " + e.getMessage());
            return REFUSED;
        }
    }

    private HandshakesBenchmark.Options options() {
        return new HandshakesBenchmark.Options(
                quick,
                Optional.ofNullable(rounds),
                epoll ? Peer.SLUICE_EPOLL : Peer.SLUICE_IO_URING,
                Optional.ofNullable(openssl).map(Path::toAbsolutePath),
                Optional.ofNullable(json));
    }
}
