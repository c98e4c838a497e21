package dev.sluice.gateway;

import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** The JDK as a TLS client that trusts the tests' authority. Sessions are resumed within one instance. */
public final class TlsClient {
    private static final int TIMEOUT_MILLIS = 60_000;
    private static final char[] PASSWORD = "password".toCharArray();

    private final SSLContext context;
    private final List<String> protocols;
    private final List<String> alpn;
    private final String serverName;
    private final List<String> suites;

    private TlsClient(
            SSLContext context, List<String> protocols, List<String> alpn, String serverName, List<String> suites) {
        this.context = context;
        this.protocols = protocols;
        this.alpn = alpn;
        this.serverName = serverName;
        this.suites = suites;
    }

    /** Any version from TLS 1.2 on, no ALPN, server name localhost. */
    public static TlsClient plain() {
        return new TlsClient(context(null), List.of("TLSv1.3", "TLSv1.2"), List.of(), "localhost", List.of());
    }

    /** Returns a client with a client certificate. */
    static TlsClient presenting(Credential credential) {
        return new TlsClient(context(credential), List.of("TLSv1.3", "TLSv1.2"), List.of(), "localhost", List.of());
    }

    public TlsClient speaking(String version) {
        return new TlsClient(context, List.of(version), alpn, serverName, suites);
    }

    TlsClient offering(String... newAlpn) {
        return new TlsClient(context, protocols, List.of(newAlpn), serverName, suites);
    }

    TlsClient asking(String newServerName) {
        return new TlsClient(context, protocols, alpn, newServerName, suites);
    }

    public TlsClient suites(String... newSuites) {
        return new TlsClient(context, protocols, alpn, serverName, List.of(newSuites));
    }

    /** Connects and shakes hands. */
    public SSLSocket connect(InetSocketAddress address) throws IOException {
        return over(plainSocket(address));
    }

    /** Shakes hands over a connected socket, which is closed with the one returned, and when this throws. */
    SSLSocket over(Socket connected) throws IOException {
        try {
            SSLSocket socket = (SSLSocket)
                    context.getSocketFactory().createSocket(connected, serverName, connected.getPort(), true);
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setProtocols(protocols.toArray(String[]::new));
            if (!suites.isEmpty()) {
                parameters.setCipherSuites(suites.toArray(String[]::new));
            }
            parameters.setApplicationProtocols(alpn.toArray(String[]::new));
            parameters.setServerNames(List.of(new SNIHostName(serverName)));
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            return socket;
        } catch (IOException | RuntimeException failed) {
            connected.close();
            throw failed;
        }
    }

    /** A TCP connection without TLS. */
    public static Socket plainSocket(InetSocketAddress address) throws IOException {
        Socket socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), address.getPort()));
        return socket;
    }

    /** Closes with RST instead of FIN. */
    static void reset(Socket socket) throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    private static SSLContext context(@Nullable Credential client) {
        try {
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry("root", TestCertificates.shared().rootCertificate());
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(client == null ? null : keys(client), trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static KeyManager[] keys(Credential client) throws GeneralSecurityException, IOException {
        KeyStore own = KeyStore.getInstance("PKCS12");
        own.load(null, null);
        own.setKeyEntry("client", client.key(), PASSWORD, client.chain().toArray(Certificate[]::new));
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(own, PASSWORD);
        return keys.getKeyManagers();
    }
}
