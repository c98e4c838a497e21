package dev.sluice.transfer.move;

import dev.sluice.transfer.protocol.ProtocolLimits;
import dev.sluice.transfer.tree.Filters;
import dev.sluice.transfer.tree.TargetPolicy;

/**
 * The options of a receiver.
 *
 * @param path the part of the source's tree; empty for all
 * @param filters rules on top of the source's own
 * @param policy the treatment of what is in the target
 * @param mode whether anything is written
 * @param verification how contents are verified
 * @param attributes which attributes are kept besides permissions and times
 * @param compression the compression of contents that the source is asked for
 * @param streams the streams wanted, 1 to 64
 * @param windowBytes the bytes of contents asked for and not received, per stream: rate times round trip
 * @param limit the bandwidth limit
 */
@SuppressWarnings("ArrayRecordComponent")
public record ReceiverOptions(
        byte[] path,
        Filters filters,
        TargetPolicy policy,
        Mode mode,
        Verification verification,
        Attributes attributes,
        Compression compression,
        int streams,
        long windowBytes,
        BandwidthLimit limit) {
    /** The effect of a transfer. */
    public enum Mode {
        /** The target is written. */
        TRANSFER,
        /** Nothing is written; events report what would be. */
        DRY_RUN
    }

    /** The verification of contents. */
    public enum Verification {
        /** Each chunk's checksum, computed by the source as it reads and by the target as it writes. */
        CHECKSUMS,
        /** The authentication tags of TLS alone; hashes are compared only to resume and to update. */
        TRANSPORT
    }

    /** The attributes that are kept. */
    public enum Attributes {
        /** Permissions and modification time. */
        BASIC,
        /** Extended attributes of the namespace {@code user}, too. */
        EXTENDED
    }

    /** The compression of contents on the wire. */
    public enum Compression {
        /** Contents go over the wire as they are. */
        NONE,
        /** The source compresses by zstd what shrinks by it, if it knows how. */
        ZSTD
    }

    /** The defaults. */
    public static final ReceiverOptions DEFAULT = new ReceiverOptions(
            new byte[0],
            Filters.NONE,
            TargetPolicy.DEFAULT,
            Mode.TRANSFER,
            Verification.CHECKSUMS,
            Attributes.BASIC,
            Compression.NONE,
            1,
            64L << 20,
            BandwidthLimit.NONE);

    /** Checks the values. */
    public ReceiverOptions {
        if (streams < 1 || streams > ProtocolLimits.STREAMS_MAX || windowBytes < ProtocolLimits.CHUNK_BYTES) {
            throw new IllegalArgumentException("streams=" + streams + ", windowBytes=" + windowBytes + "; use 1 to "
                    + ProtocolLimits.STREAMS_MAX + " streams and a window of at least " + ProtocolLimits.CHUNK_BYTES);
        }
    }

    /** Returns whether entries are to carry extended attributes. */
    boolean wantsAttributes() {
        return attributes == Attributes.EXTENDED;
    }

    /** Returns the same options with a part of the source's tree. */
    public ReceiverOptions withPath(byte[] newPath) {
        return new ReceiverOptions(
                newPath, filters, policy, mode, verification, attributes, compression, streams, windowBytes, limit);
    }

    /** Returns the same options with other filters. */
    public ReceiverOptions withFilters(Filters newFilters) {
        return new ReceiverOptions(
                path, newFilters, policy, mode, verification, attributes, compression, streams, windowBytes, limit);
    }

    /** Returns the same options with another policy. */
    public ReceiverOptions withPolicy(TargetPolicy newPolicy) {
        return new ReceiverOptions(
                path, filters, newPolicy, mode, verification, attributes, compression, streams, windowBytes, limit);
    }

    /** Returns the same options with another mode. */
    public ReceiverOptions withMode(Mode newMode) {
        return new ReceiverOptions(
                path, filters, policy, newMode, verification, attributes, compression, streams, windowBytes, limit);
    }

    /** Returns the same options with another verification. */
    public ReceiverOptions withVerification(Verification newVerification) {
        return new ReceiverOptions(
                path, filters, policy, mode, newVerification, attributes, compression, streams, windowBytes, limit);
    }

    /** Returns the same options with other attributes. */
    public ReceiverOptions withAttributes(Attributes newAttributes) {
        return new ReceiverOptions(
                path, filters, policy, mode, verification, newAttributes, compression, streams, windowBytes, limit);
    }

    /** Returns the same options with another compression. */
    public ReceiverOptions withCompression(Compression newCompression) {
        return new ReceiverOptions(
                path, filters, policy, mode, verification, attributes, newCompression, streams, windowBytes, limit);
    }

    /** Returns the same options with another number of streams. */
    public ReceiverOptions withStreams(int count) {
        return new ReceiverOptions(
                path, filters, policy, mode, verification, attributes, compression, count, windowBytes, limit);
    }

    /** Returns the same options with another window. */
    public ReceiverOptions withWindowBytes(long bytes) {
        return new ReceiverOptions(
                path, filters, policy, mode, verification, attributes, compression, streams, bytes, limit);
    }

    /** Returns the same options with a bandwidth limit. */
    public ReceiverOptions withLimit(BandwidthLimit newLimit) {
        return new ReceiverOptions(
                path, filters, policy, mode, verification, attributes, compression, streams, windowBytes, newLimit);
    }
}
