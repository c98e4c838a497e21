package dev.sluice.bench.record;

/**
 * The allocations of OpenSSL for sealing a record and opening it.
 *
 * @param allocations allocations and reallocations
 * @param bytes requested bytes
 */
public record NativeCost(double allocations, double bytes) {}
