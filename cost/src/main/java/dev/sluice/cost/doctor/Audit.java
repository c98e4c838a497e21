package dev.sluice.cost.doctor;

/** The shared state of one audit. Confined to one thread. */
final class Audit {
    private static final int FAILURES_UNTIL_CUT_SHORT = 3;

    private final Dialer dialer;
    private final DoctorOptions options;
    private final RawProbe raw;
    private final Findings findings = new Findings();
    private final Facts facts = new Facts();
    private int failures;

    Audit(Dialer dialer, DoctorOptions options) {
        this.dialer = dialer;
        this.options = options;
        this.raw = new RawProbe(dialer);
    }

    /** An action that makes connections. */
    @FunctionalInterface
    interface Probe {
        void run() throws ProbeException;
    }

    /**
     * Runs a probe that may fail. After several consecutive failures no more are tried, to leave a refusing server
     * alone.
     *
     * @return true on success
     */
    boolean attempt(Probe probe) {
        if (failures >= FAILURES_UNTIL_CUT_SHORT) {
            return false;
        }
        try {
            probe.run();
            failures = 0;
            return true;
        } catch (ProbeException e) {
            failures++;
            if (failures == FAILURES_UNTIL_CUT_SHORT) {
                findings.add(
                        FindingKind.RATE_LIMITED,
                        "after " + dialer.connections() + " connections, the last of which " + e.getMessage());
            }
            return false;
        }
    }

    Target target() {
        return dialer.target();
    }

    Dialer dialer() {
        return dialer;
    }

    DoctorOptions options() {
        return options;
    }

    RawProbe raw() {
        return raw;
    }

    Findings findings() {
        return findings;
    }

    Facts facts() {
        return facts;
    }
}
