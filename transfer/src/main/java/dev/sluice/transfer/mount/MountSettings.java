package dev.sluice.transfer.mount;

import dev.sluice.transfer.channel.ChannelSettings;
import dev.sluice.transfer.files.FileProtocol;
import java.time.Duration;

/**
 * The permissions, limits and times of a mount.
 *
 * @param access the operations that this machine may use, if the peer permits them
 * @param audience the users of this machine who have access
 * @param attributeTime the time for which the kernel keeps attributes and names without asking
 * @param deadline the most time without a byte of a peer that owes an answer; then every access fails with EIO
 * @param cacheBytes the memory for blocks that are read ahead
 * @param readAheadBytes the most bytes requested ahead of a sequential reader
 * @param writeBehindBytes the most bytes written that the peer has not yet confirmed
 */
public record MountSettings(
        Access access,
        Audience audience,
        Duration attributeTime,
        Duration deadline,
        long cacheBytes,
        long readAheadBytes,
        long writeBehindBytes) {
    /** The defaults, writable. */
    public static final MountSettings DEFAULT = new MountSettings(
            Access.READ_WRITE,
            Audience.OWNER,
            Duration.ofSeconds(1),
            Duration.ofSeconds(30),
            64L << 20,
            8L << 20,
            16L << 20);

    private static final long MIN_CACHE_BYTES = 4L << 20;
    private static final long MAX_CACHE_BYTES = 64L << 30;
    private static final int PINGS_PER_DEADLINE = 3;
    /** A server ends a conversation after 60 seconds of silence. */
    private static final Duration MAX_PING_INTERVAL = Duration.ofSeconds(15);

    /** The operations that this machine may use. */
    public enum Access {
        /** Read and list. */
        READ_ONLY,
        /** Everything that the peer permits. */
        READ_WRITE
    }

    /** The users who have access. */
    public enum Audience {
        /** The user who mounts. */
        OWNER,
        /** Everybody, within the permissions of the files. */
        EVERYBODY
    }

    /** Checks the values. */
    public MountSettings {
        if (attributeTime.isNegative() || !deadline.isPositive() || writeBehindBytes < 0) {
            throw new IllegalArgumentException("attributeTime=" + attributeTime + ", deadline=" + deadline
                    + ", writeBehindBytes=" + writeBehindBytes + "; only the deadline must not be zero");
        }
        if (cacheBytes < MIN_CACHE_BYTES
                || cacheBytes > MAX_CACHE_BYTES
                || readAheadBytes < 0
                || readAheadBytes > cacheBytes / 2) {
            throw new IllegalArgumentException(
                    "cacheBytes=" + cacheBytes + ", readAheadBytes=" + readAheadBytes + "; use " + MIN_CACHE_BYTES
                            + " to " + MAX_CACHE_BYTES + ", and half of it at most for reading ahead");
        }
    }

    /** Returns the same settings with another access. */
    public MountSettings withAccess(Access other) {
        return new MountSettings(
                other, audience, attributeTime, deadline, cacheBytes, readAheadBytes, writeBehindBytes);
    }

    /** Returns the same settings with another audience. */
    public MountSettings withAudience(Audience other) {
        return new MountSettings(access, other, attributeTime, deadline, cacheBytes, readAheadBytes, writeBehindBytes);
    }

    /** Returns the same settings with another time for attributes. */
    public MountSettings withAttributeTime(Duration other) {
        return new MountSettings(access, audience, other, deadline, cacheBytes, readAheadBytes, writeBehindBytes);
    }

    /** Returns the same settings with another deadline. */
    public MountSettings withDeadline(Duration other) {
        return new MountSettings(access, audience, attributeTime, other, cacheBytes, readAheadBytes, writeBehindBytes);
    }

    /** Returns the same settings with another cache. */
    public MountSettings withCache(long bytes, long aheadBytes) {
        return new MountSettings(access, audience, attributeTime, deadline, bytes, aheadBytes, writeBehindBytes);
    }

    /** Returns the most time without a request to the peer: a part of the deadline, and of the peer's limit. */
    Duration pingInterval() {
        Duration interval = deadline.dividedBy(PINGS_PER_DEADLINE);
        return interval.compareTo(MAX_PING_INTERVAL) < 0 ? interval : MAX_PING_INTERVAL;
    }

    /** Returns the settings of the channel that the mount needs. */
    public ChannelSettings channel() {
        return FileProtocol.settings(ChannelSettings.DEFAULT).withSilenceLimit(deadline);
    }
}
