package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Sample;
import dev.sluice.bench.harness.Summary;
import dev.sluice.bench.harness.Treatment;
import dev.sluice.bench.load.LoadProcess;
import dev.sluice.bench.load.LoadRequest;
import dev.sluice.bench.load.Scenario;
import dev.sluice.bench.process.Usage;
import dev.sluice.bench.scrape.Scraper;
import java.util.List;

/**
 * The time of a scrape with many open connections: from the start of the request's connection to the last byte of the
 * page.
 *
 * @param terminator a gateway with metrics
 * @param connections number of open connections, at least 10
 */
record ScrapeTreatment(MeteredTerminator terminator, Fleet fleet, LoadProcess load, int connections)
        implements Treatment {
    static final Metric MILLIS = Metric.cost("scrape_millis", "ms");
    static final Metric LONGEST = Metric.cost("scrape_longest_millis", "longest ms");
    static final Metric CPU = Metric.cost("scrape_cpu_millis", "server CPU ms");
    static final Metric FIRST = Metric.cost("scrape_first_millis", "first ms");
    static final Metric PAGE = Metric.cost("page_kib", "page KiB");

    private static final int SCRAPES = 40;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double KIB = 1024;

    /** Returns the metrics beside the primary one. */
    static List<Metric> others() {
        return List.of(LONGEST, CPU, FIRST, PAGE);
    }

    @Override
    public Identity identity() {
        return terminator.identity();
    }

    @Override
    public Sample round() {
        try (Fleet.Member server = fleet.launch(terminator)) {
            int before = connections / 10;
            load.prepare(
                    new LoadRequest(Scenario.Kind.IDLE, server.port(), terminator.tls(), before, connections - before));
            load.go();
            Sample sample = scrape(server.process().tree());
            load.finish();
            return sample;
        }
    }

    private Sample scrape(List<Long> server) {
        double first = millis();
        double[] millis = new double[SCRAPES];
        double cpu = Usage.cpuNanos(server);
        for (int i = 0; i < SCRAPES; i++) {
            millis[i] = millis();
        }
        double used = (Usage.cpuNanos(server) - cpu) / SCRAPES / NANOS_PER_MILLI;
        Summary all = Summary.of(millis);
        return Sample.of(MILLIS, all.median())
                .with(LONGEST, all.max())
                .with(CPU, used)
                .with(FIRST, first)
                .with(PAGE, Scraper.scrape(terminator.adminPort()) / KIB);
    }

    private double millis() {
        long begin = System.nanoTime();
        Scraper.scrape(terminator.adminPort());
        return (System.nanoTime() - begin) / NANOS_PER_MILLI;
    }
}
