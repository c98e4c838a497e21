/** Sockets, epoll and io_uring in memory for tests, driven by a seed, with the peers of the sockets. */
@NullMarked
package dev.sluice.simulator;

import org.jspecify.annotations.NullMarked;
