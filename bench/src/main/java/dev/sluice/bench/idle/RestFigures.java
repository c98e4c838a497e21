package dev.sluice.bench.idle;

/**
 * The servers at rest with some connections.
 *
 * @param opened resting connections
 * @param server private memory of the servers in bytes, including the heap
 * @param heap live bytes of their heaps; 0 if they have none
 * @param resident resident memory of the servers
 * @param slab the kernel's objects in bytes, on the whole machine
 * @param crowd private memory of clients and backends
 * @param busy the servers' CPU time per second
 * @param p50 median round trip of a message in nanoseconds; the median of the servers
 * @param p99 99th percentile; the largest of the servers
 */
record RestFigures(
        int opened,
        long server,
        long heap,
        long resident,
        long slab,
        long crowd,
        double busy,
        double p50,
        double p99) {}
