package dev.sluice.tls.engine;

import dev.sluice.ffi.openssl.RecordTally;
import dev.sluice.ffi.openssl.Ssl;
import dev.sluice.tls.record.CipherSuite;
import dev.sluice.tls.record.ConnectionKeys;
import dev.sluice.tls.record.KeySchedule;
import dev.sluice.tls.record.TrafficKeys;

/**
 * The time that a TLS 1.3 client stays in libssl after its handshake. Only libssl can create a session from the tickets
 * that follow, since the required secret is not in the key log.
 *
 * <p>It ends with the first ticket, or after {@value #MAX_RECORDS} records without one: servers send tickets before any
 * data. A {@link RecordTally} counts the records that libssl has processed until then, including key updates, so that
 * the connection can detach at any record boundary that is a message's too.
 */
final class TicketWait implements AutoCloseable {
    /**
     * The number of records from the server after which no ticket is expected; those since its last KeyUpdate count.
     */
    static final int MAX_RECORDS = 16;

    private final RecordTally tally = new RecordTally();
    private long bytesBefore;

    /** Starts counting libssl's records, before the handshake. */
    TicketWait(Ssl ssl) {
        try {
            tally.attach(ssl);
        } catch (Throwable t) {
            tally.close();
            throw t;
        }
    }

    /** Marks the handshake complete: records use the application keys from now on. */
    void begin(Ssl ssl) {
        tally.begin();
        bytesBefore = ssl.bytesRead();
    }

    /** Returns whether waiting is no longer useful. */
    boolean isOver() {
        return tally.tickets() > 0 || tally.recordsReceived() >= MAX_RECORDS;
    }

    /** Returns whether libssl has read its last record, and its last handshake message, to the end. */
    boolean isBetweenMessages(Ssl ssl) {
        return tally.bytesReceived() == ssl.bytesRead() - bytesBefore && !ssl.isInsideMessage();
    }

    /** Derives the keys of both directions at libssl's position from the first secrets. */
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

    /** Ends the wait: the connection stays in libssl, and the counters are freed. */
    void end(Ssl ssl) {
        tally.detach(ssl);
        tally.close();
    }

    /** Frees the counters, after the {@code SSL}. Idempotent. */
    @Override
    public void close() {
        tally.close();
    }
}
