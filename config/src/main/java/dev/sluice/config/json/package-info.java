/**
 * JSON text (RFC 8259): the admin endpoint's snapshots, the output of commands with {@code --json}, measurements.
 *
 * <p>{@link dev.sluice.config.json.Json} writes with Jackson's generator. Jackson is loaded by the first call, so that
 * a gateway without that need does not load it. {@link dev.sluice.config.json.JsonReader} reads with the library of
 * YAML.
 *
 * <p>It may be used from any thread but those of event loops, since it allocates. The access log writes its lines
 * itself.
 *
 * <p>No state is kept between calls.
 */
@NullMarked
package dev.sluice.config.json;

import org.jspecify.annotations.NullMarked;
