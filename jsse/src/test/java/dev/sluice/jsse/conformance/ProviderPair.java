package dev.sluice.jsse.conformance;

import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

/**
 * The providers of both ends of a connection, and its version.
 *
 * @param client the provider of the client
 * @param server the provider of the server
 * @param version the only version that both ends enable
 */
record ProviderPair(JsseProvider client, JsseProvider server, JsseVersion version) {
    /** Returns each pair with each version. */
    static List<ProviderPair> all() {
        return Stream.of(JsseVersion.values()).flatMap(ProviderPair::with).toList();
    }

    /** Returns each pair with TLS 1.3. */
    static List<ProviderPair> tls13() {
        return with(JsseVersion.TLS_13).toList();
    }

    /** Returns each pair with TLS 1.2. */
    static List<ProviderPair> tls12() {
        return with(JsseVersion.TLS_12).toList();
    }

    private static Stream<ProviderPair> with(JsseVersion version) {
        return Stream.of(JsseProvider.values())
                .flatMap(client ->
                        Stream.of(JsseProvider.values()).map(server -> new ProviderPair(client, server, version)));
    }

    /** Returns a connection whose handshake has not started, between the shared contexts. */
    EngineLink link() {
        return link(JsseContexts.client(client), JsseContexts.server(server));
    }

    /** Returns a connection whose handshake has not started, between two contexts. */
    EngineLink link(SSLContext clientContext, SSLContext serverContext) {
        return new EngineLink(clientEngine(clientContext), serverEngine(serverContext));
    }

    /** Returns a connection whose handshake has not started, to a host. */
    EngineLink link(SSLContext clientContext, SSLContext serverContext, String host, int port) {
        return new EngineLink(configured(clientContext.createSSLEngine(host, port), true), serverEngine(serverContext));
    }

    /** Returns a connection after its handshake, between the shared contexts. */
    EngineLink established() {
        EngineLink link = link();
        link.handshake();
        return link;
    }

    /** Returns an engine of a client with no host. */
    SSLEngine clientEngine(SSLContext context) {
        return configured(context.createSSLEngine(), true);
    }

    /** Returns an engine of a server. */
    SSLEngine serverEngine(SSLContext context) {
        return configured(context.createSSLEngine(), false);
    }

    private SSLEngine configured(SSLEngine engine, boolean isClient) {
        engine.setUseClientMode(isClient);
        engine.setEnabledProtocols(new String[] {version.protocol()});
        return engine;
    }

    /** Returns true under TLS 1.3. */
    boolean isTls13() {
        return version == JsseVersion.TLS_13;
    }

    @Override
    public String toString() {
        return client + " to " + server + ", " + version;
    }
}
