package dev.sluice.net;

import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.engine.MemoryEngine;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Connections that libssl keeps for their whole life. */
@ParameterizedClass
@MethodSource("dev.sluice.net.Setups#all")
final class LibsslConnectionTest extends TlsConformanceTest {
    @Override
    TlsAcceptor server(TlsContext context, long handshakeTimeoutMillis, ConnectionHandler handler) {
        return new TlsAcceptor(() -> MemoryEngine.server(context), handshakeTimeoutMillis, handler);
    }

    /** One more record, and what the engine's ring holds. */
    @Override
    long mostDeliveredAtOnce() {
        return 3L * BufferGeometry.PAYLOAD;
    }
}
