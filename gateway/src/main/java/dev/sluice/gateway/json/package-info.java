/**
 * The JSON of the control path: the admin endpoint's snapshots, and the output of commands with {@code --json}.
 *
 * <p>{@link dev.sluice.gateway.json.Json} is the entry: it writes JSON text (RFC 8259) with Jackson's generator.
 * Jackson is loaded by the first call, so that a gateway without that need does not load it.
 *
 * <p>It may be used from any thread but those of event loops, since it allocates. The access log writes its lines
 * itself.
 *
 * <p>No state is kept between calls.
 */
@NullMarked
package dev.sluice.gateway.json;

import org.jspecify.annotations.NullMarked;
