package dev.sluice.jsse.context;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The one place where the collector helps: JSSE has no close for a context, and engines are dropped unclosed. Native
 * state is registered with the object that it belongs to; when that is unreachable, the next {@link #poll()} frees the
 * state, on the thread of who makes the next engine. No thread and no finalizer runs for it.
 *
 * <p>An engine that comes here is a leak: its peer was never told of the end, and its memory was held until the next
 * collection. It is counted, and with the system property {@value #SITES_PROPERTY} logged with the place that made it.
 */
public final class Reclaimer {
    /** The system property that keeps the creation site of each engine. */
    public static final String SITES_PROPERTY = "sluice.jsse.leak-sites";

    private static final boolean SITES = Boolean.getBoolean(SITES_PROPERTY);
    private static final Logger LOG = System.getLogger("dev.sluice.jsse");
    private static final ReferenceQueue<Object> QUEUE = new ReferenceQueue<>();
    private static final Set<Registration> ALIVE = ConcurrentHashMap.newKeySet();
    private static final LongAdder LEAKED = new LongAdder();

    private Reclaimer() {}

    /** The kinds of owners. */
    public enum Kind {
        /** Has no close: reclaimed as a matter of course. */
        CONTEXT,
        /** Has a close: reclaiming it is a leak. */
        ENGINE
    }

    /** Registers the native state of an object. */
    public static Registration register(Object owner, Reclaimable state, Kind kind) {
        Registration registration = new Registration(owner, state, kind);
        ALIVE.add(registration);
        return registration;
    }

    /** Frees the state of all objects that were found unreachable. */
    public static void poll() {
        for (Object found = QUEUE.poll(); found != null; found = QUEUE.poll()) {
            ((Registration) found).reclaim();
        }
    }

    /** Returns the number of engines that were dropped unclosed and have been reclaimed. */
    public static long leakedEngines() {
        return LEAKED.sum();
    }

    /** The tie between an object and its native state. */
    public static final class Registration extends PhantomReference<Object> {
        private final Reclaimable state;
        private final Kind kind;
        private final @Nullable Throwable site;

        private Registration(Object owner, Reclaimable state, Kind kind) {
            super(owner, QUEUE);
            this.state = state;
            this.kind = kind;
            this.site = SITES && kind == Kind.ENGINE ? new Throwable("created here") : null;
        }

        /** Ends the tie: the owner has freed the state itself. */
        public void end() {
            ALIVE.remove(this);
            clear();
        }

        private void reclaim() {
            if (!ALIVE.remove(this)) {
                return;
            }
            if (kind == Kind.ENGINE) {
                LEAKED.increment();
                report();
            }
            state.reclaim();
        }

        private void report() {
            if (site != null) {
                LOG.log(
                        Level.WARNING,
                        "jsse: engine reclaimed by the collector (never closed in both directions);"
                                + " close it by closeOutbound() and closeInbound()",
                        site);
            }
        }
    }
}
