package dev.sluice.example.httpclient;

import dev.sluice.jsse.SluiceProvider;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import javax.net.ssl.SSLContext;

/** A GET request by the JDK's HTTP client: {@code java -jar http-client.jar https://…}. */
public final class HttpFetch {
    private HttpFetch() {}

    /** Prints the response. */
    public static void main(String[] arguments) throws Exception {
        SSLContext tls = SSLContext.getInstance("TLS", new SluiceProvider());
        tls.init(null, null, null); // the JDK's trust store, or the one that javax.net.ssl.trustStore names

        try (HttpClient client = HttpClient.newBuilder().sslContext(tls).build()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(arguments[0])).build();
            HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
            System.out.println(response.version() + " " + response.statusCode());
            System.out.print(response.body());
        }
    }
}
