/**
 * The entry of the {@code sluice} command and the list of its subcommands.
 *
 * <p>{@link dev.sluice.cli.Main} is the entry point. It runs a gateway with simple arguments directly, which avoids
 * loading picocli. {@link dev.sluice.cli.SluiceCommand} is the command line with all subcommands; {@link
 * dev.sluice.cli.VersionCommand} prints the versions in use.
 *
 * <p>Commands run on the main thread. Each subject of commands has a package of its own below this one.
 */
@NullMarked
package dev.sluice.cli;

import org.jspecify.annotations.NullMarked;
