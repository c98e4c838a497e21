/**
 * JSON of the control path: the admin endpoint's snapshots, and what commands print with {@code --json}.
 *
 * <p>{@link dev.sluice.gateway.json.Json} is the entry. It is used on any thread but those of event loops, since it
 * allocates; the access log writes its lines itself.
 */
@NullMarked
package dev.sluice.gateway.json;

import org.jspecify.annotations.NullMarked;
