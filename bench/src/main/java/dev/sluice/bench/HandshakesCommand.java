package dev.sluice.bench;

import dev.sluice.bench.harness.Report;
import dev.sluice.bench.terminator.HandshakesBenchmark;
import java.io.PrintStream;
import picocli.CommandLine.Command;

/** The {@code bench handshakes} command. Exit code 0 on success, 2 when it could not run. */
@Command(
        name = "handshakes",
        description = {
            "Measures the cost of a handshake for the gateway and, in memory, for libssl: full and "
                    + "resumed, TLS 1.2 and 1.3, RSA-2048 and ECDSA P-256; compared with commonly published "
                    + "figures.",
            "",
            "Servers run on one core, the load on another; rounds are interleaved in balanced order. A "
                    + "full run takes about two and a half minutes."
        },
        mixinStandardHelpOptions = true)
final class HandshakesCommand extends OneGatewayCommand {

    @Override
    void measure(Report.Style style, PrintStream out) throws InterruptedException {
        new HandshakesBenchmark(options(), style, out, System.err).run();
    }

    private HandshakesBenchmark.Options options() {
        return new HandshakesBenchmark.Options(quick(), rounds(), gateway(), openssl(), json());
    }
}
