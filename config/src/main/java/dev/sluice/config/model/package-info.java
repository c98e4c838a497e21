/**
 * The immutable model of the gateway's configuration.
 *
 * <p>{@link dev.sluice.config.model.GatewayConfig} is the root; each section of the file is a record, each choice an
 * enum. Equal files make equal models, whatever DNS says: names of servers stay names.
 *
 * <p>Immutable, and may be shared by all threads.
 */
@NullMarked
package dev.sluice.config.model;

import org.jspecify.annotations.NullMarked;
