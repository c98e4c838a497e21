package dev.sluice.example.jetty;

import javax.net.ssl.SSLEngine;
import org.eclipse.jetty.alpn.java.server.JDK9ServerALPNProcessor;

/** ALPN for Jetty on Sluice: Jetty's own processor uses the JDK's methods, but takes engines of the JDK only. */
public final class SluiceAlpn extends JDK9ServerALPNProcessor {
    @Override
    public boolean appliesTo(SSLEngine engine) {
        return engine.getClass().getName().startsWith("dev.sluice.jsse.");
    }
}
