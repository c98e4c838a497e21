/** What a gateway tells of itself in figures: one page of metrics, which is exposed, drawn and watched. */
@NullMarked
package dev.sluice.gateway.metrics;

import org.jspecify.annotations.NullMarked;
