package dev.sluice.tls.context;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A server context that is built when the first client requests it. A context takes tens of kilobytes and most of a
 * millisecond, so a server with ten thousand names should not build unused ones. Errors in certificates and keys are
 * found earlier, since these are already loaded.
 *
 * <p>May be used from any thread. Only the first use takes a lock.
 */
final class DeferredContext {
    private final @Nullable ServerContextBuilder builder;
    private volatile @Nullable TlsContext made;

    private DeferredContext(@Nullable ServerContextBuilder builder, @Nullable TlsContext made) {
        this.builder = builder;
        this.made = made;
    }

    /**
     * Defers a builder, which must not change afterwards and whose identities are loaded; kept until {@link #close}.
     */
    static DeferredContext of(ServerContextBuilder builder) {
        builder.holdLoaded();
        return new DeferredContext(builder, null);
    }

    /** Wraps an existing context, which is retained until {@link #close}. */
    static DeferredContext of(TlsContext ready) {
        ready.retain();
        return new DeferredContext(null, ready);
    }

    /** Returns the context; the first call builds it. */
    TlsContext get() {
        TlsContext context = made;
        return context == null ? make() : context;
    }

    private synchronized TlsContext make() {
        TlsContext context = made;
        if (context == null) {
            context = Objects.requireNonNull(builder).build();
            made = context;
        }
        return context;
    }

    /** Returns whether the context was built. */
    boolean isMade() {
        return made != null;
    }

    /** Releases the context; called once, after the last use. */
    void close() {
        TlsContext context = made;
        if (builder == null) {
            Objects.requireNonNull(context).release();
            return;
        }
        builder.releaseLoaded();
        if (context != null) {
            context.close();
        }
    }
}
