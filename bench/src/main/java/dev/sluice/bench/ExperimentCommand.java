package dev.sluice.bench;

import dev.sluice.bench.claims.ArticleExperiment;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code bench experiment} command. */
@Command(
        name = "experiment",
        description = {
            "Runs a published experiment of four regimes over loopback: full handshakes, resumed ones, bulk data with"
                    + " AES-128-GCM and with ChaCha20-Poly1305; prints its sample run beside this one."
        },
        mixinStandardHelpOptions = true)
final class ExperimentCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(names = "--quick", description = "Fewer handshakes and bytes, for a first impression.")
    private boolean quick;

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        out.print(new ArticleExperiment(quick).run());
        out.flush();
        return 0;
    }
}
