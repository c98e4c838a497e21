/**
 * The access log: one line of JSON for each connection, written by a thread of its own.
 *
 * <p>{@link dev.sluice.gateway.accesslog.AccessLog} is the entry, with one {@link
 * dev.sluice.gateway.accesslog.LoopAccessLog} per event loop. A loop writes an entry into its ring outside the Java
 * heap; the writer's thread turns entries into lines.
 *
 * <p>The loop's end is confined to its loop: it never waits, allocates nothing, and drops and counts an entry without
 * room. The file belongs to the writer. {@link dev.sluice.gateway.accesslog.AccessLog} may be used from any thread.
 *
 * <pre>
 * loop ──▶ LoopAccessLog ──▶ EntryRing ──▶ LogWriter ──▶ LogFile
 * </pre>
 */
@NullMarked
package dev.sluice.gateway.accesslog;

import org.jspecify.annotations.NullMarked;
