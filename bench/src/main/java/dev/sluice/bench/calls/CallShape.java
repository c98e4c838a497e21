package dev.sluice.bench.calls;

/**
 * The calls of one experiment.
 *
 * @param requestBytes the payload of a request
 * @param responseBytes the payload of a response
 * @param depth the most calls in flight; 1 is a strict sequence of request and response
 */
record CallShape(int requestBytes, int responseBytes, int depth) {
    /** Returns the payload bytes of a call in both directions. */
    long bytes() {
        return (long) requestBytes + responseBytes;
    }
}
