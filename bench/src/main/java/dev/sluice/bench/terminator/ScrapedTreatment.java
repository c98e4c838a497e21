package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Sample;
import dev.sluice.bench.harness.Treatment;

/**
 * A gateway under load that is scraped at the beginning of each round and each second from then on: a Prometheus asks four
 * times a minute.
 *
 * @param identity who it is
 * @param load what it is besides
 * @param adminPort where it is scraped
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
