/**
 * The parts that all commands share: exit codes, the help option, refusals, signals, texts for the terminal.
 *
 * <p>{@link dev.sluice.cli.command.ExitCode} names the exit codes of the process. {@link
 * dev.sluice.cli.command.RefusedException} is a request that cannot be satisfied; its message names value, cause and
 * remedy. {@link dev.sluice.cli.command.Signals} registers the handlers of SIGTERM, SIGINT, SIGHUP and SIGWINCH.
 *
 * <p>{@link dev.sluice.cli.command.ProgressBar} is silent without a terminal, {@link dev.sluice.cli.command.FigureText}
 * writes numbers for people.
 *
 * <p>Commands run on the main thread. The JVM calls signal handlers on threads of its own, so a handler must be safe on
 * any thread.
 */
@NullMarked
package dev.sluice.cli.command;

import org.jspecify.annotations.NullMarked;
