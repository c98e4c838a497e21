package dev.sluice.config.model;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * An address that clients connect to.
 *
 * @param address the address to listen on; with port 0 the kernel chooses one
 * @param certificates the certificates offered; the first is for clients whose server name none covers; none where the
 *     listener terminates no TLS
 * @param alpn the protocols offered, in order of preference; empty: no ALPN
 * @param tls the TLS settings
 * @param routes the routes; the first that matches decides
 * @param acceptPolicy the clients to accept
 * @param socket the name of a socket that a service manager may have opened for it; "": found by its address
 * @param kind the protocol that its clients speak
 * @param redirectPort the https port that it redirects plain HTTP to; 0 for other kinds
 * @param fingerprint the fingerprint made of its clients
 * @param origin the position of the address, such as {@code sluice.yaml:2:14}, for messages; "" without a file
 */
public record ListenerConfig(
        InetSocketAddress address,
        List<CertificateConfig> certificates,
        List<String> alpn,
        TlsOptions tls,
        List<RouteConfig> routes,
        AcceptPolicy acceptPolicy,
        String socket,
        Kind kind,
        int redirectPort,
        ClientFingerprint fingerprint,
        String origin) {
    /** The protocols that clients of a listener speak. */
    public enum Kind {
        /** TLS, which is terminated or passed through as the routes say. */
        TLS,
        /** Any protocol without TLS: the bytes are relayed to the one backend. */
        PLAIN,
        /** Plain HTTP: every request is redirected, and there is no backend. */
        REDIRECT
    }

    /** The fingerprint that is made of clients by their ClientHello. */
    public enum ClientFingerprint {
        /** None. */
        OFF,
        /** JA4 of TLS clients. */
        JA4
    }

    /** Creates a listener whose socket is found by its address. */
    ListenerConfig(
            InetSocketAddress address,
            List<CertificateConfig> certificates,
            List<String> alpn,
            TlsOptions tls,
            List<RouteConfig> routes,
            AcceptPolicy acceptPolicy,
            String origin) {
        this(address, certificates, alpn, tls, routes, acceptPolicy, "", Kind.TLS, 0, ClientFingerprint.OFF, origin);
    }

    /** Creates a listener that accepts every client. */
    public ListenerConfig(
            InetSocketAddress address,
            List<CertificateConfig> certificates,
            List<String> alpn,
            TlsOptions tls,
            List<RouteConfig> routes,
            String origin) {
        this(address, certificates, alpn, tls, routes, AcceptPolicy.DEFAULT, origin);
    }

    /** Creates a listener for plain HTTP, which redirects every request to a port that speaks TLS. */
    public static ListenerConfig redirecting(
            InetSocketAddress address, AcceptPolicy acceptPolicy, String socket, int port, String origin) {
        return new ListenerConfig(
                address,
                List.of(),
                List.of(),
                TlsOptions.DEFAULT,
                List.of(),
                acceptPolicy,
                socket,
                Kind.REDIRECT,
                port,
                ClientFingerprint.OFF,
                origin);
    }

    /** Creates a listener without TLS, which relays to a backend. */
    public static ListenerConfig plain(
            InetSocketAddress address, BackendConfig backend, AcceptPolicy acceptPolicy, String socket, String origin) {
        return new ListenerConfig(
                address,
                List.of(),
                List.of(),
                TlsOptions.DEFAULT,
                List.of(RouteConfig.toAll(backend)),
                acceptPolicy,
                socket,
                Kind.PLAIN,
                0,
                ClientFingerprint.OFF,
                origin);
    }

    /** Returns true when a route passes TLS through. */
    public boolean passes() {
        return routes.stream().anyMatch(RouteConfig::passes);
    }

    /** Returns a copy with other TLS settings. */
    public ListenerConfig withTls(TlsOptions newTls) {
        return new ListenerConfig(
                address,
                certificates,
                alpn,
                newTls,
                routes,
                acceptPolicy,
                socket,
                kind,
                redirectPort,
                fingerprint,
                origin);
    }

    /** Copies the lists. */
    public ListenerConfig {
        certificates = List.copyOf(certificates);
        alpn = List.copyOf(alpn);
        routes = List.copyOf(routes);
    }
}
