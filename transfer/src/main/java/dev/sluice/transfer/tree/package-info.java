/**
 * Trees of files: safe names, entries and their codec, filters, and access to a source and a target directory.
 *
 * <p>{@link dev.sluice.transfer.tree.SourceTree} walks and reads what is sent, {@link
 * dev.sluice.transfer.tree.TargetTree} writes what is received. Both name files by raw bytes relative to an open
 * directory and follow no symbolic link, so that no path of a peer leads elsewhere. {@link
 * dev.sluice.transfer.tree.FileAccess} makes the system calls; one instance belongs to one thread.
 *
 * <p>{@link dev.sluice.transfer.tree.TransferFailure} is the catalogue of what can go wrong.
 *
 * <pre>
 * SourceTree ── SourceCursor ──▶ Entry ── EntryCodec ──▶ pages ── EntryCodec ──▶ Entry ──▶ TargetTree
 * </pre>
 */
@NullMarked
package dev.sluice.transfer.tree;

import org.jspecify.annotations.NullMarked;
