package dev.sluice.bench.record.path;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.Locale;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.IterationType;
import org.openjdk.jmh.runner.format.OutputFormat;

/** A gate that stops JMH before each measured iteration until an input line, and prints the iteration's result. */
final class TurnByTurn implements OutputFormat {
    private static final String HEAP_BYTES = "gc.alloc.rate.norm";

    private final BufferedReader turns;
    private final PrintStream answers;
    private final CollectionCounter collections = new CollectionCounter();
    private long collectionsBefore;

    TurnByTurn(BufferedReader turns, PrintStream answers) {
        this.turns = turns;
        this.answers = answers;
    }

    @Override
    public void iteration(BenchmarkParams benchmark, IterationParams iteration, int number) {
        if (iteration.getType() != IterationType.MEASUREMENT) {
            return;
        }
        if (number == 1) {
            answers.println("ok"); // warm-up is complete
        }
        try {
            if (turns.readLine() == null) {
                throw new IllegalStateException("the harness has exited");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        collectionsBefore = collections.count();
    }

    @Override
    public void iterationResult(
            BenchmarkParams benchmark, IterationParams iteration, int number, IterationResult result) {
        if (iteration.getType() == IterationType.MEASUREMENT) {
            double nanos = result.getPrimaryResult().getScore();
            Result<?> heap = result.getSecondaryResults().get(HEAP_BYTES);
            double heapBytes = heap == null ? Double.NaN : heap.getScore();
            answers.println(String.format(
                    Locale.ROOT,
                    "ok nanos=%.3f heap=%.4f collections=%d",
                    nanos,
                    heapBytes,
                    collections.count() - collectionsBefore));
        }
    }

    @Override
    public void startRun() {}

    @Override
    public void endRun(Collection<RunResult> results) {}

    @Override
    public void startBenchmark(BenchmarkParams benchmark) {}

    @Override
    public void endBenchmark(BenchmarkResult result) {}

    @Override
    public void print(String text) {}

    @Override
    public void println(String text) {
        System.err.println(text);
    }

    @Override
    public void verbosePrintln(String text) {}

    @Override
    public void flush() {}

    @Override
    public void close() {}

    @Override
    public void write(int character) {}

    @Override
    public void write(byte[] text) {}
}
