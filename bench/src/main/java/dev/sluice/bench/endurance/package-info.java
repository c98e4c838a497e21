/**
 * The gateway over an hour: mixed traffic of honest and hostile clients, reloads with new certificates, hot restarts,
 * rotating ticket keys and failing backends.
 *
 * <p>{@link dev.sluice.bench.endurance.EnduranceBenchmark} follows a {@link dev.sluice.bench.endurance.Timetable} and
 * takes a {@link dev.sluice.bench.endurance.Moment} at intervals; {@link dev.sluice.bench.endurance.EnduranceVerdict}
 * judges them, and {@link dev.sluice.bench.endurance.EnduranceChart} draws them. {@link
 * dev.sluice.bench.endurance.TrafficMain} is the process of the honest clients and the backends, {@link
 * dev.sluice.bench.endurance.RestartedGateway} the gateway's processes, one after the other.
 */
@NullMarked
package dev.sluice.bench.endurance;

import org.jspecify.annotations.NullMarked;
