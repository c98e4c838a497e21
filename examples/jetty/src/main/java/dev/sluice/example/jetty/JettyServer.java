package dev.sluice.example.jetty;

import dev.sluice.jsse.SluiceProvider;
import java.security.Security;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** An HTTP/2 and HTTP/1.1 server on Jetty: {@code java -jar jetty.jar KEYSTORE.p12 PASSWORD}. */
public final class JettyServer {
    private JettyServer() {}

    /** Serves until the process ends. */
    public static void main(String[] arguments) throws Exception {
        Security.addProvider(new SluiceProvider());
        SslContextFactory.Server tls = new SslContextFactory.Server();
        tls.setProvider("Sluice");
        tls.setKeyStorePath(arguments[0]);
        tls.setKeyStorePassword(arguments[1]);

        HttpConfiguration configuration = new HttpConfiguration();
        configuration.addCustomizer(new SecureRequestCustomizer());
        HttpConnectionFactory http1 = new HttpConnectionFactory(configuration);
        HTTP2ServerConnectionFactory http2 = new HTTP2ServerConnectionFactory(configuration);
        ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory();
        alpn.setDefaultProtocol(http1.getProtocol());
        SslConnectionFactory ssl = new SslConnectionFactory(tls, alpn.getProtocol());

        Server server = new Server();
        ServerConnector connector = new ServerConnector(server, ssl, alpn, http2, http1);
        connector.setHost("localhost");
        server.addConnector(connector);
        server.setHandler(new Greeting());
        server.start();
        System.out.println("https://localhost:" + connector.getLocalPort() + "/");
        server.join();
    }

    /** The same answer to each request. */
    private static final class Greeting extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain");
            String text = "Hello from Jetty over " + request.getConnectionMetaData().getHttpVersion() + "\n";
            Content.Sink.write(response, true, text, callback);
            return true;
        }
    }
}
