/** The echo servers, each in its own process. */
@NullMarked
package dev.sluice.bench.echo.server;

import org.jspecify.annotations.NullMarked;
