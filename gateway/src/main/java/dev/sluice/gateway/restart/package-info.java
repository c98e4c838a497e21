/** Listening sockets that another process has opened: a service manager, or the gateway that this one replaces. */
@NullMarked
package dev.sluice.gateway.restart;

import org.jspecify.annotations.NullMarked;
