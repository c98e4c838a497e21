package dev.sluice.tls;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A server's context that is made when the first client asks for it. A context takes tens of kilobytes and most of a
 * millisecond, so that somebody who serves ten thousand names need not pay for those that nobody asks for. What can be wrong
 * with certificates and keys was found before: they are loaded already.
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

    /** Of a builder that nobody changes any more, and whose identities were loaded: held until {@link #close}. */
    static DeferredContext of(ServerContextBuilder builder) {
        builder.holdLoaded();
        return new DeferredContext(builder, null);
    }

    /** One that there is already: held until {@link #close}. */
    static DeferredContext of(TlsContext ready) {
        ready.retain();
        return new DeferredContext(null, ready);
    }

    /** The context, made now if it was not before. */
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

    /** Whether it was made. */
    boolean isMade() {
        return made != null;
    }

    /** Once, when nobody can ask any more. */
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
