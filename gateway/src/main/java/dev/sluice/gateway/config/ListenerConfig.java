package dev.sluice.gateway.config;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * One address that clients connect to.
 *
 * @param address where to listen; port 0 lets the kernel choose
 * @param certificates the certificates offered, at least one; the first is the one for clients whose server name none
 *     of them covers
 * @param alpn protocols offered, in order of preference; empty: no ALPN
 * @param tls which TLS is spoken
 * @param routes where connections go; the first that matches decides
 * @param intake whom it lets in
 * @param socket the name of a socket that a service manager may have opened for it; "" when its address tells alone
 * @param origin where the address was configured, such as {@code sluice.yaml:2:14}, for messages; "" when in no file
 */
public record ListenerConfig(
        InetSocketAddress address,
        List<CertificateConfig> certificates,
        List<String> alpn,
        TlsOptions tls,
        List<RouteConfig> routes,
        Intake intake,
        String socket,
        String origin) {
    /** By its address alone. */
    public ListenerConfig(
            InetSocketAddress address,
            List<CertificateConfig> certificates,
            List<String> alpn,
            TlsOptions tls,
            List<RouteConfig> routes,
            Intake intake,
            String origin) {
        this(address, certificates, alpn, tls, routes, intake, "", origin);
    }

    /** For everybody. */
    public ListenerConfig(
            InetSocketAddress address,
            List<CertificateConfig> certificates,
            List<String> alpn,
            TlsOptions tls,
            List<RouteConfig> routes,
            String origin) {
        this(address, certificates, alpn, tls, routes, Intake.DEFAULT, origin);
    }

    /** Copies the lists. */
    public ListenerConfig {
        certificates = List.copyOf(certificates);
        alpn = List.copyOf(alpn);
        routes = List.copyOf(routes);
    }

    /** The same for others. */
    public ListenerConfig withIntake(Intake newIntake) {
        return new ListenerConfig(address, certificates, alpn, tls, routes, newIntake, origin);
    }
}
