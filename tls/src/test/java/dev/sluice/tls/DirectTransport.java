package dev.sluice.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.MallocAllocator;
import dev.sluice.tls.record.CipherSuite;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A {@link DirectEngine} with its own {@link DirectPath}, as the only connection of its loop. */
final class DirectTransport extends MemoryTransport {
    private static final int BUFFER_BYTES = 20 * 1024;
    private static final int BUFFERS = 2; // one for each direction: a third would be a leak

    private final DirectEngine engine;
    private final DirectPath path;

    private DirectTransport(DirectEngine engine, DirectPath path) {
        super(engine);
        this.engine = engine;
        this.path = path;
    }

    static DirectTransport server(SharedContext context) {
        return make(path -> DirectEngine.server(context, path));
    }

    static DirectTransport client(TlsContext context, String host, @Nullable TlsSession session) {
        return make(path -> session == null
                ? DirectEngine.client(context, host, path)
                : DirectEngine.client(context, host, session, path));
    }

    /** Creates one of many clients of a server. */
    static DirectTransport client(
            TlsContext context, String host, @Nullable TlsSession session, @Nullable SessionKeeper keeper) {
        return make(path -> DirectEngine.client(context, host, session, keeper, path));
    }

    private static DirectTransport make(Function<DirectPath, DirectEngine> maker) {
        DirectPath path = new DirectPath(new MallocAllocator(), BUFFER_BYTES, BUFFERS);
        try {
            return new DirectTransport(maker.apply(path), path);
        } catch (RuntimeException e) {
            path.close();
            throw e;
        }
    }

    /** Checks that every handshake with a supported suite has detached; otherwise the suite would test libssl again. */
    @Override
    public void close() {
        CutOver outcome = engine.cutOver();
        super.close();
        path.close();
        HandshakeInfo info = engine.handshakeInfo();
        if (info != null) {
            assertThat(outcome).isIn(expected(info));
        }
    }

    /** Returns the allowed outcomes; a client may have had no ticket to read. */
    private static List<CutOver> expected(HandshakeInfo info) {
        CipherSuite suite = CipherSuite.byName(info.cipher());
        if (suite == null) {
            return List.of(CutOver.SUITE);
        }
        return suite.isTls13() ? List.of(CutOver.DIRECT, CutOver.TICKET_AWAITED) : List.of(CutOver.DIRECT);
    }
}
