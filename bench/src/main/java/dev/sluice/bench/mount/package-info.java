/**
 * The speed of mounted directories, beside sshfs and the local file system.
 *
 * <p>{@link dev.sluice.bench.mount.MountRows} is the entry. Each row has a {@link dev.sluice.bench.mount.Place}: a
 * directory through which the same served directory is reached, over loopback by processes of its own. This process
 * reads and writes files there and compares every byte with the served ones. Needs root, /dev/fuse, and for the peer
 * sshfs and sshd.
 *
 * <pre>
 * MountRows ──▶ LargeFile, SmallFiles ── files ──▶ Place ──▶ MountWorker (mount) ── channel ──▶ MountWorker (serve)
 * </pre>
 */
@NullMarked
package dev.sluice.bench.mount;

import org.jspecify.annotations.NullMarked;
