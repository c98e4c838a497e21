package dev.sluice.cli.transfer;

import dev.sluice.cli.command.RefusedException;
import dev.sluice.ffi.zstd.Zstd;
import dev.sluice.transfer.move.ReceiverOptions;
import dev.sluice.transfer.protocol.ProtocolLimits;
import dev.sluice.transfer.tree.TargetPolicy;
import picocli.CommandLine.Option;

/** The options of the side that writes. */
final class TargetOptions {
    @Option(
            names = "--streams",
            paramLabel = "N",
            defaultValue = "2",
            description = "Connections for the contents, 1 to 64. Default: ${DEFAULT-VALUE}")
    private int streams;

    @Option(
            names = "--compress",
            description = "Have contents compressed on the way, where that makes them smaller. Needs zstd's library "
                    + "(Debian: libzstd1) on both sides.")
    private boolean compress;

    @Option(
            names = "--fsync",
            description = "Wait until a file is on the device before it gets its name, so that it survives a loss of "
                    + "power.")
    private boolean fsync;

    @Option(names = "--xattrs", description = "Transfer extended attributes of the namespace user, too.")
    private boolean xattrs;

    @Option(names = "--keep", description = "Keep existing files that differ, and count them as failed.")
    private boolean keep;

    @Option(
            names = "--all-links",
            description = "Create symbolic links that lead out of the tree, too. Default: they count as failed.")
    private boolean allLinks;

    /** Returns the options of a receiver. */
    ReceiverOptions options(TransferOptions common) {
        if (streams < 1 || streams > ProtocolLimits.STREAMS_MAX) {
            throw new RefusedException("--streams " + streams + " is not from 1 to " + ProtocolLimits.STREAMS_MAX);
        }
        if (compress) {
            Zstd.require();
        }
        TargetPolicy policy = new TargetPolicy(
                keep ? TargetPolicy.Existing.KEEP : TargetPolicy.Existing.REPLACE,
                allLinks ? TargetPolicy.Symlinks.ALL : TargetPolicy.Symlinks.WITHIN_TREE,
                fsync ? TargetPolicy.Durability.DEVICE : TargetPolicy.Durability.PAGE_CACHE);
        return ReceiverOptions.DEFAULT
                .withPolicy(policy)
                .withFilters(common.filters())
                .withAttributes(xattrs ? ReceiverOptions.Attributes.EXTENDED : ReceiverOptions.Attributes.BASIC)
                .withCompression(compress ? ReceiverOptions.Compression.ZSTD : ReceiverOptions.Compression.NONE)
                .withLimit(common.rateLimit())
                .withStreams(streams);
    }
}
