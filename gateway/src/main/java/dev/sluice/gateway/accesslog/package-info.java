/** The access log: one line of JSON for each connection, written by a thread of its own. */
@NullMarked
package dev.sluice.gateway.accesslog;

import org.jspecify.annotations.NullMarked;
