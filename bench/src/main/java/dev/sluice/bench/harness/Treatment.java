package dev.sluice.bench.harness;

/**
 * One of the things that an experiment compares. The runner calls {@link #start()} once, then {@link #round} for the
 * warm-up and the measured rounds, between rounds of the other treatments, and last {@link #stop()}.
 *
 * <p>Whatever is thrown ends this treatment's part in the experiment; it is reported, and the others go on.
 */
public interface Treatment {
    /** Who this is. */
    Identity identity();

    /** Brings up what all rounds share. */
    default void start() throws Exception {}

    /** One round: does a fixed amount of work, the same for every treatment, and measures it. */
    Sample round() throws Exception;

    /** Takes down what {@link #start()} brought up. Called also when start failed half-way. */
    default void stop() {}
}
