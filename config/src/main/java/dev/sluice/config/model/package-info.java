/**
 * The immutable model of the gateway's configuration.
 *
 * <p>{@link dev.sluice.config.model.GatewayConfig} is the root. Each section of the file is a record, such as {@link
 * dev.sluice.config.model.ListenerConfig} and {@link dev.sluice.config.model.BackendConfig}; each choice is an enum,
 * such as {@link dev.sluice.config.model.Balance}. References between the parts are resolved.
 *
 * <p>Equal files make equal models, independent of DNS: names of servers stay names.
 *
 * <p>Immutable, and may be shared by all threads. The model owns no native memory and no open file.
 */
@NullMarked
package dev.sluice.config.model;

import org.jspecify.annotations.NullMarked;
