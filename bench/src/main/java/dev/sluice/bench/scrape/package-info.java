/**
 * A gateway's metrics as seen from outside: {@link dev.sluice.bench.scrape.Scraper} fetches the page as Prometheus
 * does, {@link dev.sluice.bench.scrape.MetricsPage} reads it, and {@link dev.sluice.bench.scrape.GatewayFigures}
 * compares what the gateway holds at two times.
 *
 * <p>Calls block until the gateway has answered, and fail with {@link dev.sluice.bench.harness.BenchException} when its
 * answer is no page of metrics, or lacks what is asked for.
 */
@NullMarked
package dev.sluice.bench.scrape;

import org.jspecify.annotations.NullMarked;
