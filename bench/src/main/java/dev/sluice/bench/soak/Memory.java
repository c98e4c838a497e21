package dev.sluice.bench.soak;

import dev.sluice.bench.process.Answer;
import java.util.Map;
import java.util.TreeMap;

/**
 * The gateway's memory at one moment.
 *
 * @param resident bytes, of the whole process
 * @param heapUsed bytes of the Java heap that are taken, ends of the threads' buffers included
 * @param allocated bytes that the gateway's threads have allocated on the Java heap since the start, ended ones too
 * @param byThread the same of the threads that the JVM shows, by name
 */
record Memory(long resident, long heapUsed, long allocated, Map<String, Long> byThread) {
    /** What a thread's name follows in an answer of {@link SoakGateway}. */
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
