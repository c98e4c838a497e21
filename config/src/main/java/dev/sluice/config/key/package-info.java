/**
 * The catalogue of configuration keys, each declared once.
 *
 * <p>A {@link dev.sluice.config.key.Key} has a name, type, bounds, default, the effect of a change, and one line of
 * text; the {@code *Keys} classes list those of one section. Readers read by these constants alone; the JSON Schema,
 * docs/configuration.md and the restart notes are made from them.
 *
 * <p>Immutable, and may be used by any thread.
 */
@NullMarked
package dev.sluice.config.key;

import org.jspecify.annotations.NullMarked;
