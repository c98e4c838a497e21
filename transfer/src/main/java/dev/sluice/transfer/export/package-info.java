/**
 * The served side of a mount: one directory, whose files a peer reads and changes over a secure channel.
 *
 * <p>{@link dev.sluice.transfer.export.Export} is the directory with its limits, {@link
 * dev.sluice.transfer.export.ExportSession} answers the requests of one channel, in order, on one thread. {@link
 * dev.sluice.transfer.export.ExportedTree} makes the system calls: every path is resolved beneath the exported
 * directory, through no symbolic link, by openat2(2), and the last name is used relative to an open directory. Devices,
 * pipes and sockets are never opened, owners are never changed, and set-user-ID bits are never set.
 *
 * <p>A session holds a bounded number of open files and no memory that a peer's requests enlarge.
 */
@NullMarked
package dev.sluice.transfer.export;

import org.jspecify.annotations.NullMarked;
