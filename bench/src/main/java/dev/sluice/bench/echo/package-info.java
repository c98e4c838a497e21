/** A comparison of plain TCP echo servers. */
@NullMarked
package dev.sluice.bench.echo;

import org.jspecify.annotations.NullMarked;
