/**
 * The gateway's configuration: the immutable model, the catalogue of keys, and the readers of the YAML file.
 *
 * <p>{@link dev.sluice.gateway.config.ConfigFile} reads a file into a {@link dev.sluice.gateway.config.GatewayConfig}.
 * Each key is declared once, by a constant of a {@code *Keys} class: name, type, bounds, default, effect of a change,
 * and one line of text. The readers read by these constants alone; the JSON Schema, docs/configuration.md and the
 * restart notes follow from them.
 *
 * <p>The model is immutable, and may be shared by all threads; a reading belongs to the thread that started it.
 */
@NullMarked
package dev.sluice.gateway.config;

import org.jspecify.annotations.NullMarked;
