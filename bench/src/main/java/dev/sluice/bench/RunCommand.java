package dev.sluice.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code bench run} command. Exit code 0 on success, 1 when a check failed, 2 when a suite could not run. */
@Command(
        name = "run",
        description = {
            "Runs some suites, with results in one directory under bench/results.",
            "",
            "A suite's own command, such as ./sluice bench echo, has more options."
        },
        mixinStandardHelpOptions = true)
final class RunCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(arity = "1..*", paramLabel = "NAME", description = "Suites, as ./sluice bench list names them.")
    private List<String> names = List.of();

    @Option(names = "--quick", description = "Fewer and shorter rounds, for first estimates.")
    private boolean quick;

    @Mixin
    private final OpenSslOption openssl = new OpenSslOption();

    @Override
    public Integer call() {
        List<Suite> suites = new ArrayList<>();
        for (String name : names) {
            suites.add(Suite.named(name)
                    .orElseThrow(() -> new ParameterException(
                            spec.commandLine(), "no suite has the name " + name + "; see ./sluice bench list")));
        }
        return new SuiteRun(
                        suites, quick, openssl.directory(), spec.commandLine().getErr())
                .play();
    }
}
