package dev.sluice.bench.buffers.work;

/** The work of one treatment: an operation that is repeated. Confined to one thread. */
interface MeasuredTask {
    /** Performs the operation a number of times. */
    void run(int times) throws Exception;

    /** Returns the operations after which the task is in the state that lasts. */
    default long least() {
        return 1;
    }

    /** Returns the most operations of a round; less than what its time allows for a task that frees nothing. */
    default long most() {
        return Long.MAX_VALUE;
    }

    /** Releases what the task holds. */
    default void end() throws Exception {}
}
