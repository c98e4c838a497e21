package dev.sluice.bench.harness;

/** What a treatment is to the comparison. */
public enum Role {
    /** What we made and want to judge. */
    SUBJECT,
    /** What others made; the best of them is what ratios are taken against. */
    PEER,
    /** Less work than the task asks for: a bound for what could be reached, not a rival. */
    FLOOR,
    /** A second copy of another treatment: its ratio to the original is the noise floor. */
    CONTROL
}
