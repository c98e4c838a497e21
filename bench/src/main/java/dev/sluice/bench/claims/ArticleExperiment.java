package dev.sluice.bench.claims;

import dev.sluice.cost.figures.CostException;
import dev.sluice.cost.figures.Numbers;
import dev.sluice.cost.figures.TextTable;
import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.openssl.EvpPkey;
import dev.sluice.ffi.openssl.SelfSignedCertificate;
import dev.sluice.ffi.openssl.X509;
import dev.sluice.ffi.openssl.raw.OpenSsl;
import dev.sluice.tls.certificate.PemSource;
import dev.sluice.tls.context.ProtocolVersion;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.engine.MemoryEngine;
import dev.sluice.tls.engine.TlsSession;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A port of the published experiment of four regimes: a client and a server thread over loopback; 2,000 connections
 * with a full handshake and 2,000 resumed ones (TLS 1.3, ECDSA P-256, 4 bytes there, 3 back, close), each timed from
 * connect to close; then 64 MiB in writes of 8 KiB with AES-128-GCM and with ChaCha20-Poly1305 (TLS 1.2, as in the
 * script).
 *
 * <p>The port follows the script's description where its code differs: its "full" run passes each session to the next
 * connection like the "resumed" one, and its bulk server reads 64 bytes and closes. Here the server reads everything,
 * and each handshake is checked.
 */
public final class ArticleExperiment {
    private static final String HOST = "bench.local";
    private static final int HANDSHAKES = 2_000;
    private static final int QUICK_HANDSHAKES = 300;
    private static final int WARM_UP = 200;
    private static final long BULK_BYTES = 64L * 1024 * 1024;
    private static final int WRITE_BYTES = 8192;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double BITS = 8;

    private static final String AES = "ECDHE-ECDSA-AES128-GCM-SHA256";
    private static final String CHACHA = "ECDHE-ECDSA-CHACHA20-POLY1305";

    private final int handshakes;
    private final MallocAllocator allocator = new MallocAllocator();

    /**
     * Prepares the experiment.
     *
     * @param quick 300 connections instead of 2,000
     */
    public ArticleExperiment(boolean quick) {
        this.handshakes = quick ? QUICK_HANDSHAKES : HANDSHAKES;
    }

    /**
     * Runs all four regimes.
     *
     * @return the table as Markdown, with the published sample run in its rows
     * @throws CostException when connections over loopback cannot be made
     */
    public String run() {
        byte[] keyPem;
        byte[] chainPem;
        try (EvpPkey key = EvpPkey.generateElliptic("P-256");
                X509 certificate = SelfSignedCertificate.make(key, HOST, List.of(HOST), Duration.ofDays(1))) {
            keyPem = key.toPem();
            chainPem = certificate.toPem();
        }
        PemSource chain = PemSource.bytes("chain", chainPem);
        PemSource key = PemSource.bytes("key", keyPem);
        MemorySegment memory = allocator.allocate(WRITE_BYTES, Long.BYTES);
        try (TlsContext server = TlsContext.server()
                .certificate(chain, key)
                .cipherList(AES + ":" + CHACHA)
                .build()) {
            return table(server, memory.address());
        } catch (IOException e) {
            throw new CostException(
                    "the experiment failed over loopback, cause: " + e
                            + "; allow this process to listen and connect on 127.0.0.1",
                    e);
        } finally {
            allocator.free(memory);
        }
    }

    private String table(TlsContext server, long memory) throws IOException {
        TextTable shakes =
                new TextTable("", "published p50 µs", "p99 µs", "per second", "here p50 µs", "p99 µs", "per second");
        TextTable bulk = new TextTable("64 MiB", "published Gbit/s", "ms", "here Gbit/s", "ms");
        try (Peer peer = Peer.start(server)) {
            row(
                    shakes,
                    "full handshake, ECDSA P-256, TLS 1.3",
                    List.of("620", "980", "1,540"),
                    shakes(peer, false, memory));
            row(shakes, "resumed handshake, the same", List.of("74.0", "160", "12,400"), shakes(peer, true, memory));
            row(bulk, AES, "6.56", "78.0", bulk(peer, AES, memory));
            row(bulk, CHACHA, "2.44", "210", bulk(peer, CHACHA, memory));
        }
        return "Published: c6i.4xlarge, OpenSSL 3.0.13, Python 3.12. Here: "
                + OpenSsl.require().version() + ", " + handshakes + " connections.\n\n" + shakes.markdown() + "\n"
                + bulk.markdown();
    }

    private static void row(TextTable table, String what, List<String> published, long[] nanos) {
        long sum = Arrays.stream(nanos).sum();
        Arrays.sort(nanos);
        table.row(
                what,
                published.get(0),
                published.get(1),
                published.get(2),
                micros(nanos[nanos.length / 2]),
                micros(nanos[(int) (nanos.length * 0.99)]),
                Numbers.of(nanos.length * NANOS_PER_SECOND / sum));
    }

    private static String micros(long nanos) {
        return Numbers.of(nanos / NANOS_PER_MICRO);
    }

    private static void row(TextTable table, String cipher, String gigabits, String millis, long nanos) {
        table.row(
                cipher,
                gigabits,
                millis,
                Numbers.of(BULK_BYTES * BITS / nanos),
                Numbers.of(nanos / NANOS_PER_MICRO / 1e3));
    }

    /** Returns the nanoseconds of each connection that counts. */
    private long[] shakes(Peer peer, boolean resume, long memory) throws IOException {
        long[] nanos = new long[handshakes];
        try (TlsContext context = TlsContext.client()
                .versions(ProtocolVersion.TLS_1_3, ProtocolVersion.TLS_1_3)
                .dangerouslyTrustAnyone()
                .build()) {
            TlsSession session = null;
            for (int i = -WARM_UP; i < handshakes; i++) {
                long begin = System.nanoTime();
                TlsSession next = connection(context, peer.address(), resume ? session : null, memory);
                nanos[Math.max(0, i)] = System.nanoTime() - begin;
                close(session);
                session = next;
            }
            close(session);
        }
        return nanos;
    }

    /** Makes one connection as in the script. Returns its session, which the caller closes. */
    private static @Nullable TlsSession connection(
            TlsContext context, SocketAddress address, @Nullable TlsSession offered, long memory) throws IOException {
        try (SocketChannel channel = SocketChannel.open(address);
                BlockingTls client = new BlockingTls(engine(context, offered), channel)) {
            client.handshake();
            client.write(memory, 4);
            client.read(memory, WRITE_BYTES);
            boolean resumed =
                    Objects.requireNonNull(client.engine().handshakeInfo()).resumed();
            if (resumed != (offered != null)) {
                throw new IllegalStateException(
                        "a handshake was " + (resumed ? "resumed" : "full") + " of the wrong kind");
            }
            return client.engine().session();
        }
    }

    private static MemoryEngine engine(TlsContext context, @Nullable TlsSession offered) {
        return offered == null ? MemoryEngine.client(context, HOST) : MemoryEngine.client(context, HOST, offered);
    }

    private static void close(@Nullable TlsSession session) {
        if (session != null) {
            session.close();
        }
    }

    /** Returns the nanoseconds for writing all bytes. */
    private static long bulk(Peer peer, String cipher, long memory) throws IOException {
        try (TlsContext context = TlsContext.client()
                        .versions(ProtocolVersion.TLS_1_2, ProtocolVersion.TLS_1_2)
                        .cipherList(cipher)
                        .dangerouslyTrustAnyone()
                        .build();
                SocketChannel channel = SocketChannel.open(peer.address());
                BlockingTls client = new BlockingTls(MemoryEngine.client(context, HOST), channel)) {
            client.handshake();
            long begin = System.nanoTime();
            for (long sent = 0; sent < BULK_BYTES; sent += WRITE_BYTES) {
                client.write(memory, WRITE_BYTES);
            }
            return System.nanoTime() - begin;
        }
    }
}
