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

/** The SSLEngines of the profile, with control over resumption. */
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
     * Returns a client engine with a report of its resumption.
     *
     * @param slot see {@link Dialer#dialTls}
     */
    Engine engine(int port, int slot) {
        // JSSE keeps one session per peer name and port: a name per slot separates slots. Without a name it never
        // resumes.
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

    /** An engine with observed certificates. */
    record Engine(SSLEngine ssl, CheckedCertificates checked) {
        /**
         * Returns whether the handshake resumed a session: exactly then, the server sent no certificate. Called once.
         */
        boolean resumed() {
            return !checked.asked.remove(ssl);
        }
    }

    /**
     * A trust manager that accepts every certificate, since the server's is newly generated, and records the checks.
     */
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
