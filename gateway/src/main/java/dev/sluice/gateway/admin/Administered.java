package dev.sluice.gateway.admin;

import dev.sluice.gateway.alerts.AlertStatus;
import dev.sluice.gateway.backend.BackendControl;
import dev.sluice.gateway.metrics.MetricSnapshot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The gateway, as far as the endpoint needs it. Asked by any thread at any time. */
public interface Administered {
    /** The phase of a gateway's life. */
    enum State {
        /** It does not listen yet. */
        STARTING,
        /** It accepts connections, and makes more of its code compiled before it calls itself ready. */
        WARMING,
        /** It accepts connections. */
        SERVING,
        /** It accepts no more, and waits for those that are open. */
        DRAINING
    }

    /** A failure to do what was requested; the message names value, cause and remedy. */
    final class RefusedException extends Exception {
        private static final long serialVersionUID = 1L;

        /**
         * Creates an exception with its message.
         *
         * @param message why not
         */
        public RefusedException(String message) {
            super(message);
        }
    }

    /** Reads all metrics now. */
    MetricSnapshot metrics();

    /** Returns the status of the alerts that are enabled. */
    List<AlertStatus> alerts();

    /** Returns the control of the backends' servers. */
    BackendControl backends();

    /** Returns the current phase. */
    State state();

    /** Returns true when all event loops respond; waits for them briefly. */
    boolean responds() throws InterruptedException;

    /**
     * The configuration in force as YAML, without secrets; null: it was not made of a file.
     *
     * @throws RefusedException when it cannot be told now
     */
    @Nullable
    String configuration() throws RefusedException;

    /**
     * Has the configuration read again, and waits until it is served.
     *
     * @return what is served now, in lines for people
     * @throws RefusedException when what was served goes on
     */
    String reload() throws RefusedException;
}
