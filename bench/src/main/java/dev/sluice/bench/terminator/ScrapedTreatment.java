package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Sample;
import dev.sluice.bench.harness.Treatment;
import dev.sluice.bench.scrape.Scraper;

/**
 * A gateway under load, scraped at the beginning of each round and each second from then on; Prometheus usually scrapes
 * four times a minute.
 *
 * @param identity its identity
 * @param load the load treatment
 * @param adminPort metrics port
 */
record ScrapedTreatment(Identity identity, LoadTreatment load, int adminPort) implements Treatment {
    @Override
    public void start() {
        load.start();
    }

    @Override
    public Sample round() {
        try (Scraper _ = Scraper.start(adminPort)) {
            return load.round();
        }
    }
}
