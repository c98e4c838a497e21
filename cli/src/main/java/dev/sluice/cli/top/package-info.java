/**
 * The command {@code top}: a running gateway's metrics, handshakes and alerts on a terminal.
 *
 * <p>{@link dev.sluice.cli.top.TopCommand} is the entry. Everything runs on the command's own thread.
 */
@NullMarked
package dev.sluice.cli.top;

import org.jspecify.annotations.NullMarked;
