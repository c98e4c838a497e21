package dev.sluice.bench.record.path;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/** A factory of Netty's engines over its bundled BoringSSL (netty-tcnative-boringssl-static). */
final class NettyEngines {
    private final SslContext client;
    private final SslContext server;

    NettyEngines(String suite, Credentials credentials) {
        OpenSsl.ensureAvailability();
        try {
            client = common(SslContextBuilder.forClient(), suite)
                    .trustManager(credentials.chain().toFile())
                    .endpointIdentificationAlgorithm("")
                    .build();
            server = common(
                            SslContextBuilder.forServer(
                                    credentials.chain().toFile(),
                                    credentials.key().toFile()),
                            suite)
                    .build();
        } catch (SSLException e) {
            throw new IllegalStateException("Netty's TLS cannot be set up: " + e.getMessage(), e);
        }
    }

    private static SslContextBuilder common(SslContextBuilder builder, String suite) {
        return builder.sslProvider(SslProvider.OPENSSL).protocols("TLSv1.3").ciphers(List.of(suite));
    }

    static String version() {
        return OpenSsl.versionString();
    }

    /** Returns a handler for a pipeline. */
    SslHandler handler(boolean isClient) {
        return (isClient ? client : server).newHandler(PooledByteBufAllocator.DEFAULT);
    }

    SSLEngine engine(boolean isClient) {
        return (isClient ? client : server).newEngine(UnpooledByteBufAllocator.DEFAULT);
    }
}
