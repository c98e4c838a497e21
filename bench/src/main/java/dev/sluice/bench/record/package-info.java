/** The record benchmark: what it costs to seal and open a TLS record, beside others. */
@NullMarked
package dev.sluice.bench.record;

import org.jspecify.annotations.NullMarked;
