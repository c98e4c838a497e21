package dev.sluice.cli;

import dev.sluice.cli.command.ExitCode;
import dev.sluice.cli.gateway.GatewayRun;
import dev.sluice.cli.gateway.ProblemReport;
import java.io.PrintStream;
import java.io.PrintWriter;

/** The entry point of the {@code sluice} command. */
public final class Main {
    private Main() {}

    /** Runs the command and ends the process with its exit code, see {@link ExitCode}. */
    public static void main(String[] arguments) {
        GatewayRun gateway = GatewayRun.ofPlain(arguments);
        System.exit(gateway != null ? run(gateway) : SluiceCommand.execute(arguments));
    }

    private static int run(GatewayRun gateway) {
        try {
            return gateway.run(writer(System.out));
        } catch (Exception e) {
            return ProblemReport.report(e, writer(System.err));
        }
    }

    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(stream, true, stream.charset());
    }
}
