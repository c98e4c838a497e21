package dev.sluice.bench;

import dev.sluice.bench.harness.Table;
import java.io.PrintWriter;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The {@code bench list} command. */
@Command(
        name = "list",
        description = "Lists the suites: name, duration with --quick and without, question.",
        mixinStandardHelpOptions = true)
final class ListCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() {
        Table table = new Table(List.of("suite", "quick", "whole"));
        for (Suite suite : Suite.values()) {
            table.row(List.of(suite.label(), suite.duration(true), suite.duration(false)));
        }
        Iterator<String> lines = table.text().lines().iterator();
        PrintWriter out = spec.commandLine().getOut();
        out.println(lines.next() + "  question");
        for (Suite suite : Suite.values()) {
            out.println(lines.next() + "  " + suite.question());
        }
        out.flush();
        return 0;
    }
}
