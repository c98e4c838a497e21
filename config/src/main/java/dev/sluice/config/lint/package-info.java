/**
 * Warnings about avoidable costs of a configuration.
 *
 * <p>{@link dev.sluice.config.lint.CostLint} is the entry: it runs all rules, each a
 * {@code LintRule}, over a configuration and the costs of handshakes, and returns findings with
 * position, figure and remedy. The figures are those of docs/benchmarks, or of a file that was measured on the machine.
 *
 * <p>Used by {@code sluice check} on its own thread; a gateway that serves loads nothing of it.
 */
@NullMarked
package dev.sluice.config.lint;

import org.jspecify.annotations.NullMarked;
