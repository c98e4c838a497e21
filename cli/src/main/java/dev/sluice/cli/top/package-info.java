/**
 * The command {@code top}: a running gateway's metrics, handshakes and alerts on a terminal.
 *
 * <p>{@link dev.sluice.cli.top.TopCommand} is the entry. {@link dev.sluice.cli.top.TopClient} reads snapshots from the
 * admin endpoint, {@link dev.sluice.cli.top.JsonView} gives lenient access to them, and {@link
 * dev.sluice.cli.top.TopPanels} lays them out as lines of text without I/O.
 *
 * <p>Everything runs on the main thread; a shutdown hook restores the terminal.
 *
 * <pre>
 * gateway ── JSON ──▶ TopClient ──▶ JsonView ──▶ TopPanels ──▶ terminal
 * </pre>
 */
@NullMarked
package dev.sluice.cli.top;

import org.jspecify.annotations.NullMarked;
