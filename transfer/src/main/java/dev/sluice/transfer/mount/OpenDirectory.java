package dev.sluice.transfer.mount;

import dev.sluice.transfer.files.FileAttributes;
import java.util.List;

/** An open directory: the peer's handle, and the page of entries being listed. Guarded by the mount's lock. */
final class OpenDirectory {
    private List<Listed> page = List.of();
    private int position;
    private long cookie;

    int handle;

    /** An entry of the page. */
    static final class Listed {
        private final long cookie;
        private final byte[] name;
        private final FileAttributes attributes;

        /**
         * Creates an entry.
         *
         * @param cookie the position after it
         */
        Listed(long cookie, byte[] name, FileAttributes attributes) {
            this.cookie = cookie;
            this.name = name;
            this.attributes = attributes;
        }

        long cookie() {
            return cookie;
        }

        byte[] name() {
            return name;
        }

        FileAttributes attributes() {
            return attributes;
        }

        /** Returns whether it is "." or "..", for which the kernel wants no node. */
        boolean isDots() {
            return name[0] == '.' && (name.length == 1 || (name.length == 2 && name[1] == '.'));
        }
    }

    /** Creates a directory whose handle is not known yet. */
    OpenDirectory() {}

    /** Returns whether the entry at a position is in the page. */
    boolean has(long from) {
        return from == cookie && position < page.size();
    }

    /** Replaces the page by the one that begins at a position. */
    void received(long from, List<Listed> entries) {
        page = entries;
        position = 0;
        cookie = from;
    }

    /** Returns whether the page has another entry. */
    boolean hasNext() {
        return position < page.size();
    }

    /** Returns the next entry. */
    Listed peek() {
        return page.get(position);
    }

    /** Removes the next entry. */
    void taken() {
        cookie = page.get(position).cookie();
        position++;
    }
}
