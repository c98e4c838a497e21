/**
 * The values of the sections {@code log} and {@code access-log}.
 *
 * <p>{@link dev.sluice.config.log.LogConfig} has the lowest level that is logged, the target of the gateway's log and
 * the form of its lines. {@link dev.sluice.config.log.AccessLogConfig} has the file of the access log, the size at
 * which it is rotated, the number of files that are kept, and the share of connections that are recorded.
 *
 * <p>Immutable, and may be shared by all threads.
 */
@NullMarked
package dev.sluice.config.log;

import org.jspecify.annotations.NullMarked;
