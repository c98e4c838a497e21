package dev.sluice.net;

import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** TLS as the JDK does it: the foreign peer. */
final class JdkTls {
    private static final char[] NO_PASSWORD = new char[0];

    private final SSLContext context;

    JdkTls(TestCertificates authority) {
        try {
            Credential server = authority.server();
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(null, NO_PASSWORD);
            keys.setKeyEntry("server", server.key(), NO_PASSWORD, server.chain().toArray(X509Certificate[]::new));
            KeyManagerFactory keyManagers = KeyManagerFactory.getInstance("PKIX");
            keyManagers.init(keys, NO_PASSWORD);
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, NO_PASSWORD);
            trusted.setCertificateEntry("root", authority.rootCertificate());
            TrustManagerFactory trustManagers = TrustManagerFactory.getInstance("PKIX");
            trustManagers.init(trusted);
            context = SSLContext.getInstance("TLS");
            context.init(keyManagers.getKeyManagers(), trustManagers.getTrustManagers(), null);
        } catch (GeneralSecurityException | IOException e) {
            throw new AssertionError(e);
        }
    }

    /** A connected socket, its handshake not begun; half-close as TLS 1.3 has it. */
    SSLSocket connect(InetSocketAddress address, String version) throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(address.getAddress(), address.getPort());
        socket.setEnabledProtocols(new String[] {version});
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(Math.toIntExact(ConformanceTest.LIMIT.toMillis()));
        return socket;
    }

    /** TLS over a socket that stays the caller's to cut off. */
    SSLSocket over(Socket socket) throws IOException {
        return over(socket, "TLSv1.3");
    }

    /** Does the same with a version. */
    SSLSocket over(Socket socket, String version) throws IOException {
        SSLSocket tls =
                (SSLSocket) context.getSocketFactory().createSocket(socket, "localhost", socket.getPort(), false);
        tls.setEnabledProtocols(new String[] {version});
        tls.startHandshake();
        return tls;
    }

    /** A listening socket on a port of the kernel's choice. */
    SSLServerSocket listen(String version) throws IOException {
        SSLServerSocket server = (SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        server.setEnabledProtocols(new String[] {version});
        return server;
    }
}
