/**
 * The structs and constants of the kernel's FUSE protocol (linux/fuse.h), version 7.31 and later.
 *
 * <p>A request is read from /dev/fuse as one message, an answer is written as one message; both start with a header.
 * The classes hold sizes, offsets and constants; those who read and write at them own the memory, and check
 * what the kernel sends.
 *
 * <p>A test compares every offset and constant with the header file.
 */
@NullMarked
package dev.sluice.ffi.fuse;

import org.jspecify.annotations.NullMarked;
