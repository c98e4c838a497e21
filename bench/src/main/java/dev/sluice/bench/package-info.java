/**
 * The command line of {@code ./sluice bench}, which is built and launched apart from the shipped command.
 *
 * <p>{@link dev.sluice.bench.Main} is the entry point and {@link dev.sluice.bench.BenchCommand} the group of all
 * commands. {@link dev.sluice.bench.Suite} declares the suites; each suite's command parses the options of one
 * benchmark and runs it. {@link dev.sluice.bench.MeasuringCommand} holds the options and exit codes that most of them
 * share.
 *
 * <p>A command runs on the main thread and blocks it until the results are printed. Results go to standard output,
 * progress to standard error.
 */
@NullMarked
package dev.sluice.bench;

import org.jspecify.annotations.NullMarked;
