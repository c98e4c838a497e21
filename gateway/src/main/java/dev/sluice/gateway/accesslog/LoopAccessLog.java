package dev.sluice.gateway.accesslog;

import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A loop's end of the access log. Confined to the loop's thread; never waits, and writing allocates nothing: an entry
 * for which there is no room is dropped, and counted.
 */
public final class LoopAccessLog {
    private static final long ALL = 1L << Integer.SIZE;

    private final EntryRing ring;
    private final NameTable names;
    private final AccessLogCounters counters;
    /** The number of connections out of 2^32 that are logged. */
    private long sampled = ALL;

    LoopAccessLog(EntryRing ring, NameTable names, AccessLogCounters counters) {
        this.ring = ring;
        this.names = names;
        this.counters = counters;
    }

    /** Sets the share of connections that is logged from now on. */
    public void sample(double share) {
        sampled = (long) (share * ALL);
    }

    /**
     * A connection begins.
     *
     * @param peer by which it is decided whether it is logged: always the same of the same address and port
     * @param nowNanos as of {@link System#nanoTime()}
     * @return null when it is not logged
     */
    public @Nullable ConnectionRecord begin(InetSocketAddress peer, String listener, long nowNanos) {
        if (sampled < ALL && Integer.toUnsignedLong(hash(peer)) >= sampled) {
            return null;
        }
        ConnectionRecord record = new ConnectionRecord(names, System.currentTimeMillis(), nowNanos, listener);
        record.peer(peer);
        return record;
    }

    /** The last step of MurmurHash3, by which neighbours come to lie far apart. */
    private static int hash(InetSocketAddress peer) {
        int mixed = peer.hashCode();
        mixed = (mixed ^ (mixed >>> 16)) * 0x85EBCA6B;
        mixed = (mixed ^ (mixed >>> 13)) * 0xC2B2AE35;
        return mixed ^ (mixed >>> 16);
    }

    /**
     * A connection is over.
     *
     * @param end why, one of a few stable names
     */
    public void write(ConnectionRecord record, String end, long nowNanos) {
        if (!record.isOf(names)) {
            return; // it began under a log that was turned off since
        }
        long entry = ring.claim(AccessEntry.bytes(record));
        if (entry == 0) {
            counters.dropped(1);
            return;
        }
        long durationMicros = TimeUnit.NANOSECONDS.toMicros(nowNanos - record.startNanos);
        AccessEntry.write(entry, record, names.numberOf(end), durationMicros);
        ring.publish();
    }
}
