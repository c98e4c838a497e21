package dev.sluice.transfer.mount;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.sluice.transfer.files.FileAttributes;
import dev.sluice.transfer.mount.Call.Kind;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Requests of a kernel that are in flight, as the handler of requests puts them into a mount's state. */
final class Requests {
    private static final byte[] NAME = "name".getBytes(US_ASCII);
    private static final byte[] OTHER_NAME = "other".getBytes(US_ASCII);
    private static final int BYTES = 4096;

    private final MountState state;
    private final Node root;
    private final Node node;
    private final OpenFile file;
    private final Map<Long, Integer> expected = new TreeMap<>();
    private long unique;

    Requests(MountState state) {
        this.state = state;
        this.root = Objects.requireNonNull(state.nodes.node(1));
        this.node = state.nodes.reference(root, NAME, new FileAttributes());
        this.file = new OpenFile(node);
        node.opened(file);
        state.files.add(file);
    }

    /** Returns how often each request of the kernel must be answered: once. */
    Map<Long, Integer> expected() {
        return expected;
    }

    /** Adds a request; a detail chooses between its forms. */
    void add(Kind kind, int detail) {
        if (kind == Kind.BLOCK) {
            read(detail);
            return;
        }
        boolean silent = kind == Kind.IGNORED || kind == Kind.WRITTEN_BEHIND;
        Call call = state.calls.add(kind, silent ? 0 : asked());
        switch (kind) {
            case ENTRY, MADE, CREATED, REMOVED -> {
                call.node = root;
                call.name = detail % 2 == 0 ? NAME : OTHER_NAME;
            }
            case OPENED, ATTRIBUTES -> call.node = detail % 2 == 0 ? node : root;
            case WRITTEN, WRITTEN_BEHIND -> {
                call.file = file;
                call.bytes = detail;
                file.unconfirmed++;
                state.unconfirmedBytes += detail;
            }
            case FLUSHED -> call.file = file;
            case DATA, VALUE -> call.bytes = detail % 2 == 0 ? 0 : BYTES;
            case PAGE -> {
                call.node = root;
                call.directory = new OpenDirectory();
                call.bytes = BYTES;
                call.listing = detail % 2 == 0 ? Call.Listing.NAMES : Call.Listing.ENTRIES;
            }
            case RENAMED -> rename(call, detail);
            default -> {
                // The answer is all there is to it.
            }
        }
    }

    private long asked() {
        unique++;
        expected.put(unique, 1);
        return unique;
    }

    private void rename(Call call, int detail) {
        if (detail % 2 == 0 && node.parent != null) {
            call.renaming = new Call.Renaming(node, Objects.requireNonNull(node.parent), node.name, null);
            state.nodes.move(node, root, OTHER_NAME);
        }
    }

    /** A read that waits for a block, or for the same block as the one before. */
    private void read(int index) {
        long at = index * (long) BlockCache.BLOCK_BYTES;
        Block block = state.cache.find(node.number, index);
        if (block == null) {
            block = Objects.requireNonNull(state.cache.take(node.number, index));
            state.calls.add(Kind.BLOCK, 0).block = block;
        }
        state.cache.pin(block);
        WaitingRead read = state.read(asked(), at + index, BYTES);
        read.blocks[read.count++] = block;
        state.waiting.add(read);
    }
}
