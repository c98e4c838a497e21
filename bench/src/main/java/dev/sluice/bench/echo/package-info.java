/** Echo servers side by side: plain TCP, what comes is sent back. */
@NullMarked
package dev.sluice.bench.echo;

import org.jspecify.annotations.NullMarked;
