/** The echo servers, each a process of its own. */
@NullMarked
package dev.sluice.bench.echo.server;

import org.jspecify.annotations.NullMarked;
