package dev.sluice.bench.harness;

import org.jspecify.annotations.Nullable;

/**
 * Who a treatment is.
 *
 * @param name shown in tables and results, unique in an experiment
 * @param role what it is to the comparison
 * @param original the name of the treatment that this one is a second copy of; null unless {@link Role#CONTROL}
 */
public record Identity(String name, Role role, @Nullable String original) {
    /** Checks that a control, and only a control, names its original. */
    public Identity {
        if ((role == Role.CONTROL) != (original != null)) {
            throw new IllegalArgumentException(
                    "a control names its original and nobody else does, name=" + name + ", original=" + original);
        }
    }

    /** A treatment that is not a control. */
    public static Identity of(String name, Role role) {
        return new Identity(name, role, null);
    }

    /** The control of a treatment: the same once more. */
    public static Identity controlOf(String original) {
        return new Identity(original + " again", Role.CONTROL, original);
    }
}
