/**
 * The measured ways to protect TLS records in a JVM, and the process that measures one of them with JMH.
 *
 * <p>{@link dev.sluice.bench.record.path.PathWorker} is the entry of that process: it runs one JMH iteration at each
 * request, so that rounds of all rows can alternate. {@link dev.sluice.bench.record.path.PathKind} lists the ways; each
 * is a {@link dev.sluice.bench.record.path.RecordPath} with two ends of one connection.
 *
 * <p>A path is confined to one thread and owns both ends. Payloads have one size per measurement.
 *
 * <pre>
 * PathWorker ──▶ RecordJmh ──▶ RecordPath: ChannelPath, EnginePath, SslEnginePath
 * </pre>
 */
@NullMarked
package dev.sluice.bench.record.path;

import org.jspecify.annotations.NullMarked;
