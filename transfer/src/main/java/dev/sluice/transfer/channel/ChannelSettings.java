package dev.sluice.transfer.channel;

import java.time.Duration;

/**
 * The limits and sizes of a channel.
 *
 * @param records the full records of a batch, 1 to 1024: one system call moves as many
 * @param handshakeLimit the most time that the whole handshake takes
 * @param silenceLimit the most time without a byte in a direction that waits for one; a send that the peer does not
 *     accept waits longer over TCP, while bytes of the peer arrive; zero for no limit, where only the kernel's
 *     keepalive detects a vanished peer, after about a minute
 * @param keyBytes the bytes sealed with one key
 * @param keyTime the time for which one key seals
 */
public record ChannelSettings(
        int records, Duration handshakeLimit, Duration silenceLimit, long keyBytes, Duration keyTime) {
    /** The defaults. AES-GCM permits 2^24.5 full records, 388 GB, per key: RFC 8446 section 5.5. */
    public static final ChannelSettings DEFAULT =
            new ChannelSettings(16, Duration.ofSeconds(20), Duration.ofSeconds(60), 64L << 30, Duration.ofHours(1));

    /** Checks the values. */
    public ChannelSettings {
        if (records < 1 || records > Iovecs.MAX_COUNT) {
            throw new IllegalArgumentException("records=" + records + "; use 1 to " + Iovecs.MAX_COUNT);
        }
        if (!handshakeLimit.isPositive() || silenceLimit.isNegative() || !keyTime.isPositive() || keyBytes < 1) {
            throw new IllegalArgumentException("handshakeLimit=" + handshakeLimit + ", silenceLimit=" + silenceLimit
                    + ", keyBytes=" + keyBytes + ", keyTime=" + keyTime + "; only silenceLimit may be zero");
        }
    }

    /** Returns the same settings with another batch size. */
    public ChannelSettings withRecords(int count) {
        return new ChannelSettings(count, handshakeLimit, silenceLimit, keyBytes, keyTime);
    }

    /** Returns the same settings with another limit for the handshake. */
    public ChannelSettings withHandshakeLimit(Duration limit) {
        return new ChannelSettings(records, limit, silenceLimit, keyBytes, keyTime);
    }

    /** Returns the same settings with another limit for silence. */
    public ChannelSettings withSilenceLimit(Duration limit) {
        return new ChannelSettings(records, handshakeLimit, limit, keyBytes, keyTime);
    }

    /** Returns the same settings with other limits of a key. */
    public ChannelSettings withKeyLimits(long bytes, Duration time) {
        return new ChannelSettings(records, handshakeLimit, silenceLimit, bytes, time);
    }
}
