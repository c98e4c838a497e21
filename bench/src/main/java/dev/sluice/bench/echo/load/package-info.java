/** The client of the echo servers, in its own process. */
@NullMarked
package dev.sluice.bench.echo.load;

import org.jspecify.annotations.NullMarked;
