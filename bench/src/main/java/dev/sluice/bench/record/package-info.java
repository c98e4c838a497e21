/** The record benchmark: the cost of sealing and opening a TLS record, compared with others. */
@NullMarked
package dev.sluice.bench.record;

import org.jspecify.annotations.NullMarked;
