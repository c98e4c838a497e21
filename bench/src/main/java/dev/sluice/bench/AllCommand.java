package dev.sluice.bench;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code bench all} command. Exit code 0 on success, 1 when a check failed, 2 when a suite could not run. */
@Command(
        name = "all",
        description = "Runs all suites, with results in one directory under bench/results.",
        mixinStandardHelpOptions = true)
final class AllCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(names = "--quick", description = "Fewer and shorter rounds, for first estimates.")
    private boolean quick;

    @Mixin
    private final OpenSslOption openssl = new OpenSslOption();

    @Override
    public Integer call() {
        return new SuiteRun(
                        List.of(Suite.values()),
                        quick,
                        openssl.directory(),
                        spec.commandLine().getErr())
                .play();
    }
}
