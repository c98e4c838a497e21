/** The client of the echo servers, a process of its own. */
@NullMarked
package dev.sluice.bench.echo.load;

import org.jspecify.annotations.NullMarked;
