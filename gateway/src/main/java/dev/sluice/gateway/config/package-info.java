/** The gateway's configuration: the immutable model, and the reader of the YAML file. */
@NullMarked
package dev.sluice.gateway.config;

import org.jspecify.annotations.NullMarked;
