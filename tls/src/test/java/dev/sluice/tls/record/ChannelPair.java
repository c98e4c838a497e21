package dev.sluice.tls.record;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import java.lang.foreign.MemorySegment;
import java.util.Random;

/** Both ends of one established connection, with room for records between them. */
final class ChannelPair implements AutoCloseable {
    static final int ROOM_BYTES = 256 * 1024;

    private final MallocAllocator allocator = new MallocAllocator();
    private final MemorySegment memory = allocator.allocate(2 * ConnectionKeys.BYTES + ROOM_BYTES, 64);
    final RecordResources resources = new RecordResources(allocator);
    final long serverKeys = memory.address();
    final long clientKeys = serverKeys + ConnectionKeys.BYTES;
    final long room = clientKeys + ConnectionKeys.BYTES;
    final CipherSuite suite;
    final RecordChannel server;
    final RecordChannel client;

    ChannelPair(CipherSuite suite) {
        this.suite = suite;
        ConnectionKeys.begin(serverKeys, true);
        ConnectionKeys.begin(clientKeys, false);
        byte[] secrets = new byte[2 * Hash.MAX_BYTES + 64];
        new Random(suite.id()).nextBytes(secrets);
        for (long block : new long[] {serverKeys, clientKeys}) {
            if (suite.isTls13()) {
                derive(ConnectionKeys.client(block), secrets, 0);
                derive(ConnectionKeys.server(block), secrets, Hash.MAX_BYTES);
            } else {
                derive12(block, secrets);
            }
        }
        server = new RecordChannel(resources, suite, serverKeys);
        client = new RecordChannel(resources, suite, clientKeys);
    }

    private void derive(long keys, byte[] secrets, int at) {
        RawMemory.copy(
                secrets, at, TrafficKeys.secretAddress(keys), suite.hash().bytes());
        resources.schedule().deriveKeys(suite, keys);
    }

    private void derive12(long block, byte[] secrets) {
        RawMemory.copy(secrets, 0, room, secrets.length);
        long randoms = room + Hash.MAX_BYTES;
        resources
                .schedule()
                .deriveKeys12(suite, room, randoms, ConnectionKeys.client(block), ConnectionKeys.server(block));
    }

    /**
     * Returns a record of the client or the server with any type and content.
     *
     * @param padding zeros after the inner type, TLS 1.3 only
     */
    byte[] record(boolean fromClient, int type, byte[] content, int padding) {
        long keys = ConnectionKeys.sealing(fromClient ? clientKeys : serverKeys);
        RecordProtector protector = resources.protector(suite.aead());
        long payload = room + ROOM_BYTES / 2;
        RawMemory.copy(content, 0, payload, content.length);
        int length;
        long record;
        if (suite.isTls13()) {
            record = payload - RecordProtector.HEADER_BYTES;
            RawMemory.putByte(payload + content.length, (byte) type);
            RawMemory.zero(payload + content.length + 1, padding);
            boolean padded = padding > 0; // the protector's own type byte is then the last zero
            length = protector.seal(keys, payload, content.length + padding, padded ? 0 : type);
        } else {
            record = payload - protector.headroom12();
            length = protector.seal12(keys, payload, content.length, type);
        }
        byte[] bytes = new byte[length];
        RawMemory.copy(record, bytes, 0, length);
        return bytes;
    }

    @Override
    public void close() {
        resources.close();
        allocator.free(memory);
    }
}
