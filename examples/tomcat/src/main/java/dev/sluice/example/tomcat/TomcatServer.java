package dev.sluice.example.tomcat;

import dev.sluice.jsse.SluiceProvider;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Security;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.apache.tomcat.util.net.SSLHostConfigCertificate.Type;

/** An HTTP/2 and HTTP/1.1 server on embedded Tomcat: {@code java -jar tomcat.jar KEYSTORE.p12 PASSWORD}. */
public final class TomcatServer {
    private TomcatServer() {}

    /** Serves until the process ends. */
    public static void main(String[] arguments) throws Exception {
        Security.insertProviderAt(new SluiceProvider(), 1);

        SSLHostConfig host = new SSLHostConfig();
        SSLHostConfigCertificate certificate = new SSLHostConfigCertificate(host, Type.UNDEFINED);
        certificate.setCertificateKeystoreFile(Path.of(arguments[0]).toAbsolutePath().toString());
        certificate.setCertificateKeystorePassword(arguments[1]);
        host.addCertificate(certificate);
        Connector connector = new Connector();
        connector.setPort(0);
        connector.setScheme("https");
        connector.setSecure(true);
        connector.setProperty("address", "localhost");
        connector.setProperty("SSLEnabled", "true");
        connector.addSslHostConfig(host);
        connector.addUpgradeProtocol(new Http2Protocol());

        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(Files.createTempDirectory("tomcat").toString());
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "greeting", new Greeting());
        context.addServletMappingDecoded("/", "greeting");
        tomcat.start();
        System.out.println("https://localhost:" + connector.getLocalPort() + "/");
        tomcat.getServer().await();
    }

    /** The same answer to each request. */
    private static final class Greeting extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setContentType("text/plain");
            response.getWriter().println("Hello from Tomcat over " + request.getProtocol());
        }
    }
}
