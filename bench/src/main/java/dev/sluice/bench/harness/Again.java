package dev.sluice.bench.harness;

/**
 * A control that plays another treatment once more in each round, on the resources that it started.
 *
 * @param original the treatment
 */
record Again(Treatment original) implements Treatment {
    @Override
    public Identity identity() {
        return Identity.controlOf(original.identity().name());
    }

    @Override
    public Sample round() throws Exception {
        return original.round();
    }
}
