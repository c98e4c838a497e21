package dev.sluice.gateway;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.tls.context.ProtocolVersion;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.engine.DirectEngine;
import dev.sluice.tls.engine.LoopCrypto;
import dev.sluice.tls.record.Aead;
import dev.sluice.tls.record.RecordProtector;
import dev.sluice.tls.record.RecordResources;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The resources that {@link RecordClient}s share: a TLS context for each suite, and the ciphers that seal their
 * records. Confined to a thread.
 */
public final class RecordClients implements AutoCloseable {
    /** Room for the longest record that a length field can claim, and for what is sealed around a payload. */
    static final int SCRATCH_BYTES = 80 * 1024;

    private final MallocAllocator allocator = new MallocAllocator();
    private final LoopCrypto path = new LoopCrypto(allocator, LoopCrypto.MIN_BUFFER_BYTES, 16);
    private final RecordResources resources = new RecordResources(allocator);
    private final MemorySegment scratch = allocator.allocate(SCRATCH_BYTES, Long.BYTES);
    private final Map<Suite, TlsContext> contexts = new EnumMap<>(Suite.class);

    /** The suites that a client can offer. */
    public enum Suite {
        TLS13_AES(ProtocolVersion.TLS_1_3, "TLS_AES_128_GCM_SHA256"),
        TLS13_CHACHA20(ProtocolVersion.TLS_1_3, "TLS_CHACHA20_POLY1305_SHA256"),
        TLS12_AES(ProtocolVersion.TLS_1_2, "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256"),
        TLS12_CHACHA20(ProtocolVersion.TLS_1_2, "ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305");

        private final ProtocolVersion version;
        private final String cipher;

        Suite(ProtocolVersion version, String cipher) {
            this.version = version;
            this.cipher = cipher;
        }

        private TlsContext context() {
            var builder = TlsContext.client()
                    .versions(version, version)
                    .trust(TestCertificates.shared().rootFile());
            return version == ProtocolVersion.TLS_1_3
                    ? builder.cipherSuites(List.of(cipher)).build()
                    : builder.cipherList(cipher).build();
        }
    }

    /** Connects and completes the handshake. The caller closes the client, before these. */
    RecordClient connect(InetSocketAddress address, Suite suite) throws IOException {
        return RecordClient.connect(address, engine(suite), this);
    }

    /** Makes an engine that detaches from libssl right behind its handshake; the caller closes it. */
    public DirectEngine engine(Suite suite) {
        TlsContext context = contexts.computeIfAbsent(suite, Suite::context);
        return DirectEngine.client(context, "localhost", null, null, path);
    }

    RecordProtector protector(Aead aead) {
        return resources.protector(aead);
    }

    /** Memory for one call: of {@link #SCRATCH_BYTES}. */
    MemorySegment scratch() {
        return scratch;
    }

    @Override
    public void close() {
        resources.close();
        path.close();
        contexts.values().forEach(TlsContext::close);
        allocator.free(scratch);
    }
}
