package dev.sluice.gateway.tickets;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The current problem with a source of ticket keys: logged once when it begins, and once when it is over. */
final class Trouble {
    private final TicketKeyLog log;
    private volatile @Nullable String message;
    private final AtomicLong count = new AtomicLong();

    Trouble(TicketKeyLog log) {
        this.log = log;
    }

    /** Something went wrong, perhaps again. For one thread at a time. */
    void is(String what) {
        count.incrementAndGet();
        if (!what.equals(message)) {
            message = what;
            log.warn(what);
        }
    }

    /** All is well, perhaps again. */
    void isOver(String told) {
        if (message != null) {
            message = null;
            log.info(told);
        }
    }

    /** Returns the current problem; null when there is none. */
    @Nullable
    String message() {
        return message;
    }

    /** Returns the number of problems so far. */
    long count() {
        return count.get();
    }
}
