package dev.sluice.bench.hostile;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.tls.context.ProtocolVersion;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.engine.DirectEngine;
import dev.sluice.tls.engine.LoopCrypto;
import dev.sluice.tls.engine.MemoryEngine;
import dev.sluice.tls.record.Aead;
import dev.sluice.tls.record.RecordProtector;
import dev.sluice.tls.record.RecordResources;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * The shared state of hostile clients. They run on virtual threads with one carrier, so only one runs at a time: a
 * client yields only when it waits for its socket.
 */
final class HostileClients implements AutoCloseable {
    /** The longest record that a length field can express. */
    static final int SCRATCH_BYTES = 80 * 1024;

    private static final String NO_HOST = "";
    private static final int BUFFERS_MAX = 4096;

    private final MallocAllocator allocator = new MallocAllocator();
    private final LoopCrypto path = new LoopCrypto(allocator, LoopCrypto.MIN_BUFFER_BYTES, BUFFERS_MAX);
    private final RecordResources resources = new RecordResources(allocator);
    private final MemorySegment scratch = allocator.allocate(SCRATCH_BYTES, Long.BYTES);
    private final TlsContext tls13 = context(ProtocolVersion.TLS_1_3);
    private final TlsContext tls12 = context(ProtocolVersion.TLS_1_2);
    private final byte[] clientHello = makeClientHello();
    private final int port;
    private int connected;
    private int handshakes;

    /**
     * Creates an instance.
     *
     * @param port the gateway's port on 127.0.0.1
     */
    HostileClients(int port) {
        this.port = port;
    }

    private static TlsContext context(ProtocolVersion version) {
        return TlsContext.client()
                .versions(version, version)
                .dangerouslyTrustAnyone()
                .build();
    }

    private byte[] makeClientHello() {
        try (MemoryEngine engine = MemoryEngine.client(tls13, NO_HOST)) {
            engine.handshake();
            byte[] hello = new byte[engine.sendLength()];
            RawMemory.copy(engine.sendAddress(), hello, 0, hello.length);
            return hello;
        }
    }

    /** Returns a ClientHello record of a TLS 1.3 client. */
    byte[] clientHello() {
        return clientHello.clone();
    }

    /** Connects. */
    HostileSocket connect() throws IOException {
        return connect(0);
    }

    private HostileSocket connect(int receiveBytes) throws IOException {
        HostileSocket socket = HostileSocket.connect(port, receiveBytes);
        connected++;
        return socket;
    }

    /** Returns the number of connections made. */
    int connected() {
        return connected;
    }

    /** Returns the number of completed handshakes. */
    int handshakes() {
        return handshakes;
    }

    /** Connects and completes a handshake. */
    HostileTls handshake(ProtocolVersion version) throws IOException {
        return handshake(version, 0);
    }

    /**
     * Connects and completes a handshake with a given receive buffer.
     *
     * @param receiveBytes size of the kernel's receive buffer; 0 for its default
     */
    HostileTls handshake(ProtocolVersion version, int receiveBytes) throws IOException {
        HostileSocket socket = connect(receiveBytes);
        TlsContext context = version == ProtocolVersion.TLS_1_3 ? tls13 : tls12;
        HostileTls tls = HostileTls.over(socket, DirectEngine.client(context, NO_HOST, null, null, path), this);
        handshakes++;
        return tls;
    }

    RecordProtector protector(Aead aead) {
        return resources.protector(aead);
    }

    /** Returns scratch memory of {@link #SCRATCH_BYTES} for one call. */
    long scratchAddress() {
        return scratch.address();
    }

    @Override
    public void close() {
        resources.close();
        path.close();
        tls13.close();
        tls12.close();
        allocator.free(scratch);
    }
}
