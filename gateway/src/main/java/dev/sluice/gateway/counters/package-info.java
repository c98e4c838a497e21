/** What a loop counts, outside of the Java heap: rows of counters by labels, and distributions of times. */
@NullMarked
package dev.sluice.gateway.counters;

import org.jspecify.annotations.NullMarked;
