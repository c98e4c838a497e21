package dev.sluice.doctor.audit;

import dev.sluice.doctor.finding.Facts;
import dev.sluice.doctor.finding.FindingKind;
import dev.sluice.doctor.finding.Findings;
import dev.sluice.doctor.probe.Dialer;
import dev.sluice.doctor.probe.ProbeException;
import dev.sluice.doctor.probe.RawProbe;
import dev.sluice.doctor.probe.Target;

/** The shared state of one audit. Confined to one thread. */
public final class Audit {
    private static final int FAILURES_UNTIL_CUT_SHORT = 3;

    private final Dialer dialer;
    private final DoctorOptions options;
    private final RawProbe raw;
    private final Findings findings = new Findings();
    private final Facts facts = new Facts();
    private int failures;

    public Audit(Dialer dialer, DoctorOptions options) {
        this.dialer = dialer;
        this.options = options;
        this.raw = new RawProbe(dialer);
    }

    /** An action that makes connections. */
    @FunctionalInterface
    public interface Probe {
        void run() throws ProbeException;
    }

    /**
     * Runs a probe that may fail. After several consecutive failures no more are tried, to leave a refusing server
     * alone.
     *
     * @return true on success
     */
    public boolean attempt(Probe probe) {
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

    public Target target() {
        return dialer.target();
    }

    public Dialer dialer() {
        return dialer;
    }

    public DoctorOptions options() {
        return options;
    }

    public RawProbe raw() {
        return raw;
    }

    public Findings findings() {
        return findings;
    }

    public Facts facts() {
        return facts;
    }
}
