/**
 * YAML nodes with their place in the files, problems, and the environment that values may name.
 *
 * <p>{@link dev.sluice.config.yaml.Value} is a node that knows its file and line;
 * {@link dev.sluice.config.yaml.Problems} collects what is wrong, each with value, cause and remedy, so that one
 * reading reports all of it. Knows nothing of the gateway's keys.
 *
 * <p>A reading belongs to the thread that started it.
 */
@NullMarked
package dev.sluice.config.yaml;

import org.jspecify.annotations.NullMarked;
