/** io_uring(7): the structs of linux/io_uring.h, and a ring with its queues. No liburing. */
@NullMarked
package dev.sluice.ffi.uring;

import org.jspecify.annotations.NullMarked;
