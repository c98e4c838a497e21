package dev.sluice.bench.process;

import java.util.List;
import java.util.stream.Collectors;

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
        return of(site, transport, port, List.of(backendPort));
    }

    /** Returns the configuration text for several servers of the backend, by their ports on 127.0.0.1. */
    public static String of(Site site, Object transport, int port, List<Integer> backendPorts) {
        String servers =
                backendPorts.stream().map(each -> "\"127.0.0.1:" + each + "\"").collect(Collectors.joining(", "));
        return """
                loops: 1
                transport: %s
                warm-up: off
                listeners:
                  - address: 127.0.0.1:%d
                    certificates: [bench]
                    backend: load
                certificates:
                  bench: {chain: %s, key: %s}
                backends:
                  load: {servers: [%s]}
                """.formatted(
                transport, port, site.certificate().chain(), site.certificate().key(), servers);
    }
}
