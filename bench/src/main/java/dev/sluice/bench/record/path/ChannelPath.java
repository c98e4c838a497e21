package dev.sluice.bench.record.path;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.tls.record.CipherSuite;
import dev.sluice.tls.record.ConnectionKeys;
import dev.sluice.tls.record.RecordChannel;
import dev.sluice.tls.record.RecordProtector;
import dev.sluice.tls.record.RecordResources;
import dev.sluice.tls.record.TrafficKeys;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Sluice's record layer by itself: records are sealed and opened in place. */
final class ChannelPath implements RecordPath {
    private static final int SLOT_BYTES = RecordProtector.HEADER_BYTES + RecordProtector.MAX_CIPHERTEXT_BYTES;

    private final MallocAllocator allocator = new MallocAllocator();
    private final RecordResources resources = new RecordResources(allocator);
    private final MemorySegment memory;
    private final int bytes;
    private final RecordChannel[] sealing;
    private final RecordChannel[] opening;
    private final long records;
    private int turn;

    /**
     * Creates connections whose two ends share the contexts of one loop.
     *
     * @param bytes payload of each record
     * @param connections number of alternating connections in {@link #sealAndOpen}: with more than one, each record
     *     loads its key
     */
    ChannelPath(CipherSuite suite, int bytes, int connections) {
        this.bytes = bytes;
        this.sealing = new RecordChannel[connections];
        this.opening = new RecordChannel[connections];
        int keyBytes = 2 * connections * ConnectionKeys.BYTES;
        this.memory = allocator.allocate(keyBytes + BATCH * SLOT_BYTES, Long.BYTES);
        for (int i = 0; i < connections; i++) {
            long near = memory.address() + 2L * i * ConnectionKeys.BYTES;
            long far = near + ConnectionKeys.BYTES;
            connect(suite, near, far, i);
        }
        this.records = memory.address() + keyBytes + sealing[0].headroom();
    }

    private void connect(CipherSuite suite, long near, long far, int index) {
        ConnectionKeys.begin(near, false);
        ConnectionKeys.begin(far, true);
        derive(suite, ConnectionKeys.sealing(near), index);
        derive(suite, ConnectionKeys.opening(far), index);
        sealing[index] = new RecordChannel(resources, suite, near);
        opening[index] = new RecordChannel(resources, suite, far);
        // No key update may interrupt a run; the other rows make none either.
        sealing[index].sealingLimit(Long.MAX_VALUE);
    }

    private void derive(CipherSuite suite, long keys, int index) {
        byte[] secret = new byte[suite.hash().bytes()];
        Arrays.fill(secret, (byte) (index + 1));
        RawMemory.copy(secret, 0, TrafficKeys.secretAddress(keys), secret.length);
        resources.schedule().deriveKeys(suite, keys);
    }

    @Override
    public int seal() {
        return sealing[0].seal(records, bytes);
    }

    @Override
    public void sealBatch() {
        for (int i = 0; i < BATCH; i++) {
            sealing[0].seal(records + (long) i * SLOT_BYTES, bytes);
        }
    }

    @Override
    public int openBatch() {
        int opened = 0;
        for (int i = 0; i < BATCH; i++) {
            opened += open(opening[0], records + (long) i * SLOT_BYTES);
        }
        return opened;
    }

    @Override
    public int sealAndOpen() {
        int connection = turn;
        turn = connection + 1 == sealing.length ? 0 : connection + 1;
        sealing[connection].seal(records, bytes);
        return open(opening[connection], records);
    }

    private int open(RecordChannel channel, long payload) {
        int opened = channel.open(payload - RecordProtector.HEADER_BYTES, SLOT_BYTES);
        RecordPath.require(opened > 0 && channel.payloadLength() == bytes, "opening a record");
        return channel.payloadLength();
    }

    @Override
    public void close() {
        resources.close();
        allocator.free(memory);
    }
}
