/**
 * Readers of the configuration file, by the catalogue of keys.
 *
 * <p>{@link dev.sluice.config.read.ConfigFile} reads a {@link dev.sluice.config.read.ConfigSource} into the model; one
 * reader per section. {@link dev.sluice.config.read.TlsCheck} is the question to the TLS library whether files and
 * names are usable, which the gateway answers.
 *
 * <p>A reading belongs to the thread that started it.
 */
@NullMarked
package dev.sluice.config.read;

import org.jspecify.annotations.NullMarked;
