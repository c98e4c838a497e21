package dev.sluice.bench.harness;

/**
 * A participant of an experiment. The runner calls {@link #start()} once, then {@link #round} for the warm-up and the
 * measured rounds, between rounds of the other treatments, and finally {@link #stop()}.
 *
 * <p>An exception ends this treatment and is reported; the others continue.
 */
public interface Treatment {
    /** Returns the identity. */
    Identity identity();

    /** Starts the shared resources of all rounds. */
    default void start() throws Exception {}

    /** Runs one round: a fixed amount of work, the same for every treatment, with measurements. */
    Sample round() throws Exception;

    /** Releases the resources of {@link #start()}. Called also after a partial start. */
    default void stop() {}
}
