package dev.sluice.jsse.socket;

import java.io.IOException;
import java.net.Socket;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;

/**
 * A listening socket whose accepted sockets speak TLS. An engine that never handshakes holds and checks the settings;
 * each accepted socket gets the settings of its moment, and handshakes at its first use.
 */
final class EngineServerSocket extends SSLServerSocket {
    private static final int PORT_UNKNOWN = -1;

    private final SocketEngines engines;
    private final SSLEngine template;

    private volatile EngineSettings settings;

    /** Creates a socket that is not bound. */
    EngineServerSocket(SocketEngines engines) throws IOException {
        super();
        this.engines = engines;
        this.template = engines.create(null, PORT_UNKNOWN);
        template.setUseClientMode(false);
        this.settings = EngineSettings.of(template);
    }

    @Override
    public Socket accept() throws IOException {
        Socket transport = super.accept();
        try {
            return EngineSocket.accepted(engines, transport, settings);
        } catch (IOException | RuntimeException e) {
            transport.close();
            throw e;
        }
    }

    private void settingsChanged() {
        settings = EngineSettings.of(template);
    }

    @Override
    public void close() throws IOException {
        if (!isClosed()) {
            super.close();
            EngineSettings.discard(template);
        }
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return template.getSupportedCipherSuites();
    }

    @Override
    public String[] getEnabledCipherSuites() {
        return template.getEnabledCipherSuites();
    }

    @Override
    public void setEnabledCipherSuites(String[] suites) {
        template.setEnabledCipherSuites(suites);
        settingsChanged();
    }

    @Override
    public String[] getSupportedProtocols() {
        return template.getSupportedProtocols();
    }

    @Override
    public String[] getEnabledProtocols() {
        return template.getEnabledProtocols();
    }

    @Override
    public void setEnabledProtocols(String[] protocols) {
        template.setEnabledProtocols(protocols);
        settingsChanged();
    }

    @Override
    public void setNeedClientAuth(boolean need) {
        template.setNeedClientAuth(need);
        settingsChanged();
    }

    @Override
    public boolean getNeedClientAuth() {
        return template.getNeedClientAuth();
    }

    @Override
    public void setWantClientAuth(boolean want) {
        template.setWantClientAuth(want);
        settingsChanged();
    }

    @Override
    public boolean getWantClientAuth() {
        return template.getWantClientAuth();
    }

    @Override
    public void setUseClientMode(boolean mode) {
        template.setUseClientMode(mode);
        settingsChanged();
    }

    @Override
    public boolean getUseClientMode() {
        return template.getUseClientMode();
    }

    @Override
    public void setEnableSessionCreation(boolean flag) {
        template.setEnableSessionCreation(flag);
        settingsChanged();
    }

    @Override
    public boolean getEnableSessionCreation() {
        return template.getEnableSessionCreation();
    }

    @Override
    public SSLParameters getSSLParameters() {
        return template.getSSLParameters();
    }

    @Override
    public void setSSLParameters(SSLParameters parameters) {
        template.setSSLParameters(parameters);
        settingsChanged();
    }

    @Override
    public String toString() {
        return "[SSL: " + super.toString() + "]";
    }
}
