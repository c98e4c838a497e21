package dev.sluice.gateway.metrics;

/**
 * Prometheus' client library. It lies beside the modules, on the class path, so that a gateway that nobody scrapes neither
 * resolves nor loads any of it.
 */
final class PrometheusClient {
    private static final String ANY_CLASS = "io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter";

    private PrometheusClient() {}

    /** @throws IllegalStateException when it is not there */
    static void require() {
        Module own = PrometheusClient.class.getModule();
        own.addReads(PrometheusClient.class.getClassLoader().getUnnamedModule());
        try {
            Class.forName(ANY_CLASS, false, PrometheusClient.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(
                    "Prometheus' client library (" + ANY_CLASS
                            + ") is not there; start by ./sluice, or put prometheus-metrics-exposition-textformats on the"
                            + " class path",
                    e);
        }
    }
}
