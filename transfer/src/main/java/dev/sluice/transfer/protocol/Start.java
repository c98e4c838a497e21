package dev.sluice.transfer.protocol;

import dev.sluice.transfer.tree.FieldReader;
import dev.sluice.transfer.tree.FieldWriter;
import dev.sluice.transfer.tree.FilterRule;
import dev.sluice.transfer.tree.Filters;
import dev.sluice.transfer.tree.Names;
import dev.sluice.transfer.tree.TransferException;
import dev.sluice.transfer.tree.TransferFailure;
import java.util.ArrayList;
import java.util.List;

/**
 * The target's wishes, its second message on each stream.
 *
 * @param checksums true when DATA carries checksums
 * @param attributes true when entries carry extended attributes
 * @param compression true when DATA may be compressed; of version 2
 * @param streams the streams that the target wants in all, for a source that connects
 * @param path the part of the source's tree; empty for all
 * @param filters rules on top of the source's own
 */
@SuppressWarnings("ArrayRecordComponent")
public record Start(
        boolean checksums, boolean attributes, boolean compression, int streams, byte[] path, Filters filters) {
    private static final int CHECKSUMS_FLAG = 1;
    private static final int ATTRIBUTES_FLAG = 2;
    private static final int COMPRESSION_FLAG = 4;
    private static final int FLAGS = CHECKSUMS_FLAG | ATTRIBUTES_FLAG | COMPRESSION_FLAG;
    private static final int INCLUDE = 0;
    private static final int EXCLUDE = 1;

    void write(FieldWriter out) {
        out.putByte((checksums ? CHECKSUMS_FLAG : 0)
                | (attributes ? ATTRIBUTES_FLAG : 0)
                | (compression ? COMPRESSION_FLAG : 0));
        out.putByte(streams).putString(path).putShort(filters.rules().size());
        for (FilterRule rule : filters.rules()) {
            byte[] pattern = rule.pattern();
            if (out.room() < pattern.length + 3) {
                throw new IllegalArgumentException("filters too long: rules="
                        + filters.rules().size() + ", bytesMax=" + ProtocolLimits.PAYLOAD_BYTES_MAX);
            }
            out.putByte(rule.action() == FilterRule.Action.EXCLUDE ? EXCLUDE : INCLUDE)
                    .putString(pattern);
        }
    }

    static Start read(FieldReader in) throws TransferException {
        int flags = in.getByte();
        int streams = in.getByte();
        byte[] path = in.getString();
        int count = in.getShort();
        if ((flags & ~FLAGS) != 0
                || streams < 1
                || streams > ProtocolLimits.STREAMS_MAX
                || !Names.isPath(path)
                || count > Filters.RULES_MAX) {
            throw new TransferException(
                    TransferFailure.PROTOCOL_VIOLATION,
                    "start rejected: flags=" + flags + ", streams=" + streams + ", path=" + Names.printable(path)
                            + ", rules=" + count);
        }
        List<FilterRule> rules = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int action = in.getByte();
            byte[] pattern = in.getString();
            try {
                rules.add(FilterRule.of(actionOf(action), pattern));
            } catch (IllegalArgumentException e) {
                throw new TransferException(TransferFailure.PROTOCOL_VIOLATION, "filter rejected", e);
            }
        }
        return new Start(
                (flags & CHECKSUMS_FLAG) != 0,
                (flags & ATTRIBUTES_FLAG) != 0,
                (flags & COMPRESSION_FLAG) != 0,
                streams,
                path,
                new Filters(rules));
    }

    private static FilterRule.Action actionOf(int code) throws TransferException {
        return switch (code) {
            case INCLUDE -> FilterRule.Action.INCLUDE;
            case EXCLUDE -> FilterRule.Action.EXCLUDE;
            default ->
                throw new TransferException(
                        TransferFailure.PROTOCOL_VIOLATION, "unknown action of a filter: action=" + code);
        };
    }
}
