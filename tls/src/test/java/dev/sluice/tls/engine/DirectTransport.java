package dev.sluice.tls.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.tls.context.SharedContext;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.record.CipherSuite;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A {@link DirectEngine} with its own {@link LoopCrypto}, as the only connection of its loop. */
final class DirectTransport extends MemoryTransport {
    private static final int BUFFER_BYTES = 20 * 1024;
    private static final int BUFFERS = 2; // one for each direction: a third would be a leak

    private final DirectEngine engine;
    private final LoopCrypto crypto;

    private DirectTransport(DirectEngine engine, LoopCrypto crypto) {
        super(engine);
        this.engine = engine;
        this.crypto = crypto;
    }

    static DirectTransport server(SharedContext context) {
        return make(crypto -> DirectEngine.server(context, crypto));
    }

    static DirectTransport client(TlsContext context, String host, @Nullable TlsSession session) {
        return make(crypto -> session == null
                ? DirectEngine.client(context, host, crypto)
                : DirectEngine.client(context, host, session, crypto));
    }

    /** Creates one of many clients of a server. */
    static DirectTransport client(
            TlsContext context, String host, @Nullable TlsSession session, @Nullable SessionKeeper keeper) {
        return make(crypto -> DirectEngine.client(context, host, session, keeper, crypto));
    }

    private static DirectTransport make(Function<LoopCrypto, DirectEngine> maker) {
        LoopCrypto crypto = new LoopCrypto(new MallocAllocator(), BUFFER_BYTES, BUFFERS);
        try {
            return new DirectTransport(maker.apply(crypto), crypto);
        } catch (RuntimeException e) {
            crypto.close();
            throw e;
        }
    }

    /** Checks that every handshake with a supported suite has detached; otherwise the suite would test libssl again. */
    @Override
    public void close() {
        Detach outcome = engine.detached();
        super.close();
        crypto.close();
        HandshakeInfo info = engine.handshakeInfo();
        if (info != null) {
            assertThat(outcome).isIn(expected(info));
        }
    }

    /** Returns the allowed outcomes; a client may have had no ticket to read. */
    private static List<Detach> expected(HandshakeInfo info) {
        CipherSuite suite = CipherSuite.byName(info.cipher());
        if (suite == null) {
            return List.of(Detach.SUITE);
        }
        return suite.isTls13() ? List.of(Detach.DIRECT, Detach.TICKET_AWAITED) : List.of(Detach.DIRECT);
    }
}
