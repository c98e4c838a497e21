package dev.sluice.bench.soak;

/**
 * The gateway's memory at one moment.
 *
 * @param resident bytes, of the whole process
 * @param heapUsed bytes of the Java heap that are taken, ends of the threads' buffers included
 * @param allocated bytes that the gateway's threads have allocated on the Java heap since the start
 */
record Memory(long resident, long heapUsed, long allocated) {}
