/**
 * The C library: sockets, epoll, descriptors, files, clocks and memory. One method handle per C function, named after
 * it.
 *
 * <p>{@link dev.sluice.ffi.libc.Kernel} is the interface of the system calls that event loops make, and {@link
 * dev.sluice.ffi.libc.LibC} calls the running kernel. A call returns at least 0, or a negated {@link
 * dev.sluice.ffi.libc.Errno}. {@link dev.sluice.ffi.libc.RawMemory} reads and writes native memory by address; {@link
 * dev.sluice.ffi.libc.MmapAllocator} and {@link dev.sluice.ffi.libc.MallocAllocator} provide it.
 *
 * <p>A {@link dev.sluice.ffi.libc.LibC} owns its buffer for errno and is confined to one thread at a time. Allocators
 * are thread-safe. Raw access has no bounds check: callers use addresses of their own regions only.
 */
@NullMarked
package dev.sluice.ffi.libc;

import org.jspecify.annotations.NullMarked;
