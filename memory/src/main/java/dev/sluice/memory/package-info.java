/**
 * The ownership of off-heap memory: slabs, slab pools, and the ledger of native bytes.
 *
 * <p>{@link dev.sluice.memory.SlabPool} leases and releases fixed-size slabs without allocating. A leased {@link
 * dev.sluice.memory.Slab} has exactly one owner; {@link dev.sluice.memory.SlabQueue} links slabs in order. {@link
 * dev.sluice.memory.Ledger} accounts native bytes and handles by owner. {@link dev.sluice.memory.NativeAllocator} is
 * the source of the memory, implemented in the module {@code ffi}.
 *
 * <p>A pool and its slabs are confined to one thread, an event loop. The ledger and the allocators may be used from any
 * thread.
 *
 * <pre>
 * NativeAllocator ── chunks ──▶ SlabPool ── lease ──▶ Slab ── release ──▶ SlabPool
 * </pre>
 */
@NullMarked
package dev.sluice.memory;

import org.jspecify.annotations.NullMarked;
