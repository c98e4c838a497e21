package dev.sluice.bench.process;

/** The configuration of the gateway under test: one loop, one listener, one certificate, one backend. */
public final class GatewayYaml {
    private GatewayYaml() {}

    /**
     * Returns the configuration text.
     *
     * @param transport in the notation of the configuration
     * @param port listening port on 127.0.0.1
     * @param backendPort port of the load's backend on 127.0.0.1
     */
    public static String of(Site site, Object transport, int port, int backendPort) {
        return """
                loops: 1
                transport: %s
                listeners:
                  - address: 127.0.0.1:%d
                    certificates: [bench]
                    backend: load
                certificates:
                  bench: {chain: %s, key: %s}
                backends:
                  load: {servers: ["127.0.0.1:%d"]}
                """.formatted(
                transport, port, site.certificate().chain(), site.certificate().key(), backendPort);
    }
}
