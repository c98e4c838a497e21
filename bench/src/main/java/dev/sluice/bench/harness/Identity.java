package dev.sluice.bench.harness;

import org.jspecify.annotations.Nullable;

/**
 * The identity of a treatment.
 *
 * @param name name in tables and results, unique in an experiment
 * @param role its role in the comparison
 * @param original the name of the treatment that this one duplicates; null unless {@link Role#CONTROL}
 */
public record Identity(String name, Role role, @Nullable String original) {
    /** Checks that a control, and only a control, names its original. */
    public Identity {
        if ((role == Role.CONTROL) != (original != null)) {
            throw new IllegalArgumentException(
                    "a control, and only a control, must name its original, name=" + name + ", original=" + original);
        }
    }

    /** Returns a treatment that is not a control. */
    public static Identity of(String name, Role role) {
        return new Identity(name, role, null);
    }

    /** Returns the control of a treatment: a second copy of it. */
    public static Identity controlOf(String original) {
        return new Identity(original + " again", Role.CONTROL, original);
    }
}
