package dev.sluice.transfer.protocol;

import dev.sluice.transfer.tree.FieldReader;
import dev.sluice.transfer.tree.FieldWriter;
import dev.sluice.transfer.tree.TransferException;

/**
 * The payload of DONE.
 *
 * @param files the files that the target has, complete
 * @param failed the entries that failed
 * @param bytes the bytes of contents received, compressed where they were
 */
public record TransferSummary(long files, long failed, long bytes) {
    void write(FieldWriter out) {
        out.putLong(files).putLong(failed).putLong(bytes);
    }

    static TransferSummary read(FieldReader in) throws TransferException {
        return new TransferSummary(in.getLong(), in.getLong(), in.getLong());
    }
}
