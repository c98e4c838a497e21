package dev.sluice.tls;

import dev.sluice.ffi.openssl.RecordTally;
import dev.sluice.ffi.openssl.Ssl;
import dev.sluice.tls.record.CipherSuite;
import dev.sluice.tls.record.ConnectionKeys;
import dev.sluice.tls.record.KeySchedule;
import dev.sluice.tls.record.TrafficKeys;

/**
 * The time that a TLS 1.3 client stays with libssl after its handshake, since only libssl can make a session of the
 * tickets that come then: the secret that they need is not in the key log.
 *
 * <p>It is over with the first ticket, or after {@value #MAX_RECORDS} records without one: servers send theirs before
 * any data, so that one who has sent so many records sends none. What libssl has done with the records until then, key
 * updates included, a {@link RecordTally} counts, so that the connection can go on without it at any boundary of records.
 */
final class TicketWait implements AutoCloseable {
    /** Records from the server after which no ticket is expected any more; those since its last KeyUpdate count. */
    static final int MAX_RECORDS = 16;

    private final RecordTally tally = new RecordTally();
    private long bytesBefore;

    /** Begins to count what libssl does; before the handshake. */
    TicketWait(Ssl ssl) {
        try {
            tally.attach(ssl);
        } catch (Throwable t) {
            tally.close();
            throw t;
        }
    }

    /** The handshake is complete: from here on records are under the application's keys. */
    void begin(Ssl ssl) {
        tally.begin();
        bytesBefore = ssl.bytesRead();
    }

    /** Whether nothing more is worth waiting for. */
    boolean isOver() {
        return tally.tickets() > 0 || tally.recordsReceived() >= MAX_RECORDS;
    }

    /** Whether the last record that libssl has begun to read has come to its end. */
    boolean isBetweenRecords(Ssl ssl) {
        return tally.bytesReceived() == ssl.bytesRead() - bytesBefore;
    }

    /** Makes the keys of both directions where libssl stands, from the first secrets. */
    void deriveKeys(KeySchedule schedule, CipherSuite suite, long block) {
        derive(schedule, suite, ConnectionKeys.opening(block), tally.generationReceived(), tally.recordsReceived());
        derive(schedule, suite, ConnectionKeys.sealing(block), tally.generationSent(), tally.recordsSent());
    }

    private static void derive(KeySchedule schedule, CipherSuite suite, long keys, int generation, long records) {
        schedule.deriveKeys(suite, keys);
        for (int i = 0; i < generation; i++) {
            schedule.nextGeneration(suite, keys);
        }
        TrafficKeys.sequence(keys, records);
    }

    /** The connection stays with libssl: nothing counts any more, and the counters are freed. */
    void end(Ssl ssl) {
        tally.detach(ssl);
        tally.close();
    }

    /** Frees the counters; after the {@code SSL}. Again without effect. */
    @Override
    public void close() {
        tally.close();
    }
}
