package dev.sluice.transfer.mount;

import dev.sluice.ffi.fuse.FuseAnswers;
import dev.sluice.transfer.mount.OpenDirectory.Listed;

/** The answers to listings of directories, in the kernel's layouts. Called under the mount's lock. */
final class Listings {
    private Listings() {}

    /** Answers with as many entries of the page as fit; with none at the end of the directory. */
    static void reply(
            MountState state,
            FuseReplies replies,
            OpenDirectory directory,
            Node node,
            long unique,
            int bytes,
            Call.Listing listing) {
        int entryBytes = listing == Call.Listing.ENTRIES ? FuseAnswers.ENTRY_BYTES : 0;
        int used = 0;
        while (directory.hasNext()) {
            Listed next = directory.peek();
            if (used + entryBytes + FuseReplies.nameBytes(next.name().length) > bytes) {
                break;
            }
            if (listing == Call.Listing.ENTRIES) {
                used += putEntry(state, replies, node, next, used);
            }
            used += replies.putName(used, next.cookie(), next.attributes(), next.name());
            directory.taken();
        }
        replies.send(unique, used);
    }

    private static int putEntry(MountState state, FuseReplies replies, Node directory, Listed listed, int at) {
        if (listed.isDots()) {
            return replies.putAbsent(at);
        }
        Node node = state.nodes.reference(directory, listed.name(), listed.attributes());
        state.observe(node, listed.attributes());
        return replies.putEntry(at, node, listed.attributes());
    }
}
