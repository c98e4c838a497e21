package dev.sluice.bench.harness;

/** The role of a treatment in a comparison. */
public enum Role {
    /** The implementation under test. */
    SUBJECT,
    /** A competing implementation; the best one is the reference of ratios. */
    PEER,
    /** Less work than the task requires: a lower bound, not a competitor. */
    FLOOR,
    /** A second copy of another treatment: its ratio to the original is the noise floor. */
    CONTROL
}
