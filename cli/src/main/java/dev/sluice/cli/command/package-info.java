/**
 * Parts that all commands share: exit codes, the help option, refusals, signals.
 *
 * <p>{@link dev.sluice.cli.command.ExitCode} is the entry. Everything runs on the command's own thread.
 */
@NullMarked
package dev.sluice.cli.command;

import org.jspecify.annotations.NullMarked;
