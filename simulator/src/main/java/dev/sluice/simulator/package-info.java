/** For tests: sockets, epoll and io_uring in memory, driven by a seed, and what stands at the other ends of the sockets. */
@NullMarked
package dev.sluice.simulator;

import org.jspecify.annotations.NullMarked;
