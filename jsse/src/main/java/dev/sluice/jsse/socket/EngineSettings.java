package dev.sluice.jsse.socket;

import java.util.List;
import java.util.function.BiFunction;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an engine that has not begun its handshake, to be applied to another.
 *
 * @param clientMode true for a client
 * @param sessionCreation true when new sessions may be established
 * @param parameters everything else that an engine can be told
 * @param selector the callback that selects an application protocol; null for none
 */
record EngineSettings(
        boolean clientMode,
        boolean sessionCreation,
        SSLParameters parameters,
        @Nullable BiFunction<SSLEngine, List<String>, String> selector) {
    /** The port of an engine that is only asked for its settings. */
    private static final int NO_PORT = -1;

    /** Returns the settings of an engine. */
    static EngineSettings of(SSLEngine engine) {
        return new EngineSettings(
                engine.getUseClientMode(),
                engine.getEnableSessionCreation(),
                engine.getSSLParameters(),
                engine.getHandshakeApplicationProtocolSelector());
    }

    /** Applies these settings to an engine. */
    void applyTo(SSLEngine engine) {
        engine.setUseClientMode(clientMode);
        engine.setEnableSessionCreation(sessionCreation);
        engine.setSSLParameters(parameters);
        engine.setHandshakeApplicationProtocolSelector(selector);
    }

    /** Returns the cipher suites that engines enable without being told, for {@code getDefaultCipherSuites}. */
    static String[] defaultSuites(SocketEngines engines, boolean clientMode) {
        SSLEngine engine = engines.create(null, NO_PORT);
        engine.setUseClientMode(clientMode);
        String[] suites = engine.getEnabledCipherSuites();
        discard(engine);
        return suites;
    }

    /** Returns the cipher suites that can be enabled. */
    static String[] supportedSuites(SocketEngines engines) {
        SSLEngine engine = engines.create(null, NO_PORT);
        String[] suites = engine.getSupportedCipherSuites();
        discard(engine);
        return suites;
    }

    /** Closes both directions of an engine that has not begun its handshake, so that it frees what it holds. */
    static void discard(SSLEngine engine) {
        engine.closeOutbound();
        try {
            engine.closeInbound();
        } catch (SSLException e) {
            // There is no peer whose data could have been truncated.
        }
    }
}
