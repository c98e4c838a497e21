/**
 * Pulls of real files over loopback, beside the tools that people use: rsync and scp over ssh, croc, magic-wormhole.
 *
 * <p>FilesBenchmark is the entry. A Mover copies a Workload from the served directory into an empty one; afterwards
 * every byte is compared. Servers start once for all rounds: {@code sluice serve}, sshd, croc's relay, the mailbox of
 * magic-wormhole.
 *
 * <p>Everything is confined to its caller.
 */
@NullMarked
package dev.sluice.bench.transfer.files;

import org.jspecify.annotations.NullMarked;
