package dev.sluice.gateway;

import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import java.io.IOException;
import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.TrustManagerFactory;

/** The JDK's TLS as a server behind the gateway. */
final class TlsBackend {
    private static final char[] PASSWORD = "password".toCharArray();

    private TlsBackend() {}

    /**
     * Starts one.
     *
     * @param mutual whether it wants a certificate of the gateway
     * @param version which it speaks alone, such as {@code TLSv1.3}
     */
    static TestBackend serving(
            Credential credential, boolean mutual, String version, String[] alpn, TestBackend.Conversation conversation)
            throws IOException {
        SSLServerSocket listener = (SSLServerSocket) context(credential)
                .getServerSocketFactory()
                .createServerSocket(0, 100, InetAddress.getLoopbackAddress());
        SSLParameters parameters = listener.getSSLParameters();
        parameters.setProtocols(new String[] {version});
        parameters.setNeedClientAuth(mutual);
        parameters.setApplicationProtocols(alpn);
        listener.setSSLParameters(parameters);
        return TestBackend.servingAt(listener, conversation);
    }

    private static SSLContext context(Credential credential) {
        try {
            KeyStore own = KeyStore.getInstance("PKCS12");
            own.load(null, null);
            own.setKeyEntry(
                    "server", credential.key(), PASSWORD, credential.chain().toArray(Certificate[]::new));
            own.setCertificateEntry("root", TestCertificates.shared().rootCertificate());
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(own, PASSWORD);
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(own);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
