package dev.sluice.bench.buffers;

import java.util.List;

/**
 * The setup of a worker's process. Equal setups share a process.
 *
 * @param name for messages and files
 * @param flags options of the JVM
 * @param placement the cores
 */
record WorkerSetup(String name, List<String> flags, Placement placement) {
    /** The cores of a process. */
    enum Placement {
        /** One core, so that the elapsed time includes the collector's. */
        ONE_CORE,
        /** All cores, for tasks with two threads, and as published. */
        ALL_CORES
    }
}
