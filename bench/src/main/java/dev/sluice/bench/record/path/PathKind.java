package dev.sluice.bench.record.path;

import dev.sluice.ffi.openssl.raw.OpenSsl;
import dev.sluice.tls.record.CipherSuite;
import java.nio.ByteBuffer;
import java.util.function.IntFunction;
import javax.net.ssl.SSLEngine;

/** The ways to protect records in a JVM. */
public enum PathKind {
    /** Sluice's record layer, in place. */
    CHANNEL,
    /** Sluice's record layer with two alternating connections, so that each record loads its key. */
    CHANNEL_TWO_KEYS,
    /** Sluice's engine over libssl. */
    MEMORY_ENGINE,
    /** Sluice's engine that detaches from libssl after the handshake. */
    DIRECT_ENGINE,
    /** The JDK's engine with buffers on the heap, its best configuration. */
    JDK_HEAP,
    /** The JDK's engine with direct buffers. */
    JDK_DIRECT,
    /** Sluice's engine of JSSE with buffers on the heap. */
    JSSE_HEAP,
    /** Sluice's engine of JSSE with direct buffers. */
    JSSE_DIRECT,
    /** Netty's engine over its own BoringSSL, with direct buffers. */
    NETTY,
    /** The same engine behind Netty's handler in a pipeline, with pooled buffers. */
    NETTY_PIPELINE,
    /** Conscrypt's engine over its own BoringSSL, with direct buffers. */
    CONSCRYPT,
    /** Sluice's engine whose libssl calls read(2) and write(2) on a loopback socket. */
    DESCRIPTOR_ENGINE;

    private static final String IDLE_SUITE = CipherSuite.TLS_AES_128_GCM_SHA256.name();

    RecordPath open(String suite, int bytes, Credentials credentials) {
        return switch (this) {
            case CHANNEL -> new ChannelPath(CipherSuite.valueOf(suite), bytes, 1);
            case CHANNEL_TWO_KEYS -> new ChannelPath(CipherSuite.valueOf(suite), bytes, 2);
            case MEMORY_ENGINE -> engines(EngineFactory.Kind.MEMORY, suite, bytes, credentials);
            case DIRECT_ENGINE -> engines(EngineFactory.Kind.DIRECT, suite, bytes, credentials);
            case JDK_HEAP -> jdk(ByteBuffer::allocate, suite, bytes, credentials);
            case JDK_DIRECT -> jdk(ByteBuffer::allocateDirect, suite, bytes, credentials);
            case JSSE_HEAP -> jsse(ByteBuffer::allocate, suite, bytes, credentials);
            case JSSE_DIRECT -> jsse(ByteBuffer::allocateDirect, suite, bytes, credentials);
            case NETTY -> netty(suite, bytes, credentials);
            case NETTY_PIPELINE -> new NettyPipelinePath(new NettyEngines(suite, credentials), suite, bytes);
            case CONSCRYPT -> conscrypt(suite, bytes, credentials);
            case DESCRIPTOR_ENGINE -> DescriptorPath.open(new TlsContexts(suite, credentials), bytes);
        };
    }

    /** Returns whether OpenSSL protects the records, so that its allocations can be counted. */
    public boolean onOpenSsl() {
        return switch (this) {
            case CHANNEL, CHANNEL_TWO_KEYS, MEMORY_ENGINE, DIRECT_ENGINE, JSSE_HEAP, JSSE_DIRECT, DESCRIPTOR_ENGINE ->
                true;
            case JDK_HEAP, JDK_DIRECT, NETTY, NETTY_PIPELINE, CONSCRYPT -> false;
        };
    }

    /** Returns the library that protects the records, with its version. */
    String library() {
        return switch (this) {
            case JDK_HEAP, JDK_DIRECT -> "JDK " + Runtime.version();
            case NETTY, NETTY_PIPELINE -> NettyEngines.version();
            case CONSCRYPT -> ConscryptEngines.version();
            case JSSE_HEAP, JSSE_DIRECT -> MeasuredProvider.SLUICE.library();
            default -> OpenSsl.require().version();
        };
    }

    /** Returns the connections to keep, for paths that are an engine. */
    IdleConnections idle(Credentials credentials) {
        return switch (this) {
            case MEMORY_ENGINE -> idle(new EngineFactory(EngineFactory.Kind.MEMORY, IDLE_SUITE, credentials));
            case DIRECT_ENGINE -> idle(new EngineFactory(EngineFactory.Kind.DIRECT, IDLE_SUITE, credentials));
            case JDK_HEAP -> {
                JdkEngines jdk = new JdkEngines(IDLE_SUITE, credentials);
                yield new IdleConnections(() -> {
                    SSLEngine server = jdk.engine(false);
                    new SslEnginePath(jdk.engine(true), server, ByteBuffer::allocate, IDLE_SUITE, 1).sealAndOpen();
                    return server;
                });
            }
            default -> throw new IllegalArgumentException("not an engine, so it has no idle connections: " + this);
        };
    }

    private static IdleConnections idle(EngineFactory factory) {
        return new IdleConnections(() -> {
            EnginePair pair = factory.connect();
            pair.client().close();
            return pair.server();
        });
    }

    private static RecordPath engines(EngineFactory.Kind kind, String suite, int bytes, Credentials credentials) {
        return new EnginePath(new EngineFactory(kind, suite, credentials), bytes);
    }

    private static RecordPath jdk(IntFunction<ByteBuffer> buffers, String suite, int bytes, Credentials credentials) {
        JdkEngines jdk = new JdkEngines(suite, credentials);
        int payload = Math.min(bytes, JdkEngines.MAX_PAYLOAD_BYTES);
        return new SslEnginePath(jdk.engine(true), jdk.engine(false), buffers, suite, payload);
    }

    private static RecordPath jsse(IntFunction<ByteBuffer> buffers, String suite, int bytes, Credentials credentials) {
        JdkEngines jsse = new JdkEngines(MeasuredProvider.SLUICE, suite, credentials);
        return new SslEnginePath(jsse.engine(true), jsse.engine(false), buffers, suite, bytes);
    }

    private static RecordPath conscrypt(String suite, int bytes, Credentials credentials) {
        ConscryptEngines conscrypt = new ConscryptEngines(credentials);
        return new SslEnginePath(
                conscrypt.engine(true), conscrypt.engine(false), ByteBuffer::allocateDirect, suite, bytes);
    }

    private static RecordPath netty(String suite, int bytes, Credentials credentials) {
        NettyEngines netty = new NettyEngines(suite, credentials);
        return new SslEnginePath(netty.engine(true), netty.engine(false), ByteBuffer::allocateDirect, suite, bytes);
    }
}
