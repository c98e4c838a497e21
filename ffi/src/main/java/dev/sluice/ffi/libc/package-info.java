/** The C library: sockets, epoll, descriptors, memory. One {@code MethodHandle} per C function, named after it. */
@NullMarked
package dev.sluice.ffi.libc;

import org.jspecify.annotations.NullMarked;
