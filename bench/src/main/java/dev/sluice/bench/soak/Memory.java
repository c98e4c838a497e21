package dev.sluice.bench.soak;

import dev.sluice.bench.process.Answer;
import java.util.Map;
import java.util.TreeMap;

/**
 * A sample of the gateway's memory.
 *
 * @param resident resident bytes of the whole process
 * @param heapUsed used bytes of the Java heap, including unused ends of thread-local buffers
 * @param allocated bytes allocated on the Java heap by the gateway's threads since the start, including ended threads
 * @param byThread the same by name of each thread that the JVM reports
 */
record Memory(long resident, long heapUsed, long allocated, Map<String, Long> byThread) {
    /** The prefix of a thread's name in an answer of {@link SoakGateway}. */
    static final String THREAD = "thread:";

    Memory {
        byThread = Map.copyOf(byThread);
    }

    static Memory of(long resident, Answer heap) {
        Map<String, Long> threads = new TreeMap<>();
        heap.numbers().forEach((name, bytes) -> {
            if (name.startsWith(THREAD)) {
                threads.put(name.substring(THREAD.length()), bytes.longValue());
            }
        });
        return new Memory(resident, (long) heap.number("used"), (long) heap.number("allocated"), threads);
    }
}
