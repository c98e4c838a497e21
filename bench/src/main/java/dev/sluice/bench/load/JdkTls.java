package dev.sluice.bench.load;

import dev.sluice.bench.harness.BenchException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** SSLEngines of the one profile, with control over which of them resume. */
final class JdkTls {
    private final SSLContext context;
    private final CheckedCertificates checked = new CheckedCertificates();

    JdkTls() {
        try {
            context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {checked}, null);
        } catch (GeneralSecurityException e) {
            throw new BenchException("this JDK has no TLS: " + e.getMessage(), e);
        }
    }

    /**
     * A client engine and a way to tell whether it resumed.
     *
     * @param slot see {@link Dialer#dialTls}
     */
    Engine engine(int port, int slot) {
        // JSSE looks for sessions under the peer's name and port, and keeps one for each: a name for each slot keeps
        // slots apart. Without a name it never resumes.
        SSLEngine engine = slot < 0 ? context.createSSLEngine() : context.createSSLEngine("slot-" + slot, port);
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(new String[] {TlsProfile.PROTOCOL});
        parameters.setCipherSuites(new String[] {TlsProfile.SUITE});
        parameters.setNamedGroups(new String[] {TlsProfile.GROUP});
        parameters.setSignatureSchemes(new String[] {TlsProfile.SIGNATURE});
        engine.setSSLParameters(parameters);
        return new Engine(engine, checked);
    }

    /** An engine whose certificates are watched. */
    record Engine(SSLEngine ssl, CheckedCertificates checked) {
        /** Whether the handshake took up a session: then, and only then, the server sent no certificate. To be asked once. */
        boolean resumed() {
            return !checked.asked.remove(ssl);
        }
    }

    /** Trusts everyone, since the server's certificate was made a moment ago, and remembers who was asked about. */
    static final class CheckedCertificates extends X509ExtendedTrustManager {
        private final Set<SSLEngine> asked = Collections.newSetFromMap(new IdentityHashMap<>());

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {
            asked.add(engine);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
