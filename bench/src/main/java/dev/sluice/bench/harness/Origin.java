package dev.sluice.bench.harness;

import java.time.Instant;

/**
 * The origin of results.
 *
 * @param suite the suite's name
 * @param command the command line that repeats the run
 * @param commit the commit of the sources, {@code unknown} without a repository; with {@code +changes} when files
 *     differed from it
 * @param date the run's start
 */
public record Origin(String suite, String command, String commit, Instant date) {}
