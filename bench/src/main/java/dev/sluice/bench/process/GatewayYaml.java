package dev.sluice.bench.process;

/** The configuration of the gateway under test: one loop, one listener, the site's certificate, one backend. */
public final class GatewayYaml {
    private GatewayYaml() {}

    /**
     * Its text.
     *
     * @param transport as the configuration writes it
     * @param port of 127.0.0.1 to listen on
     * @param backendPort likewise, where the load's backend listens
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
