/** The built-in backend that shows what the gateway knows of a connection. Blocking I/O on virtual threads. */
@NullMarked
package dev.sluice.gateway.demo;

import org.jspecify.annotations.NullMarked;
