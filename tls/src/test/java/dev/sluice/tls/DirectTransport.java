package dev.sluice.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.MallocAllocator;
import dev.sluice.tls.record.CipherSuite;
import org.jspecify.annotations.Nullable;

/** A {@link DirectEngine} with a {@link DirectPath} of its own, as if it were the only connection of its loop. */
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
        DirectPath path = new DirectPath(new MallocAllocator(), BUFFER_BYTES, BUFFERS);
        try {
            return new DirectTransport(DirectEngine.server(context, path), path);
        } catch (RuntimeException e) {
            path.close();
            throw e;
        }
    }

    /** Every handshake that came to a suite of ours must have left libssl, or the suite would test libssl again. */
    @Override
    public void close() {
        super.close();
        path.close();
        if (outcome() != null) {
            assertThat(engine.cutOver()).isEqualTo(outcome());
        }
    }

    private @Nullable CutOver outcome() {
        HandshakeInfo info = engine.handshakeInfo();
        if (info == null) {
            return null;
        }
        return CipherSuite.byName(info.cipher()) == null ? CutOver.SUITE : CutOver.DIRECT;
    }
}
