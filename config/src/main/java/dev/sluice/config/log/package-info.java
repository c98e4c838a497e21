/**
 * The values of the sections {@code log} and {@code access-log}.
 *
 * <p>{@link dev.sluice.config.log.LogConfig} says what the gateway's log has, where it goes and in which form;
 * {@link dev.sluice.config.log.AccessLogConfig} has the file of the access log, its size and its share of connections.
 *
 * <p>Immutable, and may be shared by all threads.
 */
@NullMarked
package dev.sluice.config.log;

import org.jspecify.annotations.NullMarked;
