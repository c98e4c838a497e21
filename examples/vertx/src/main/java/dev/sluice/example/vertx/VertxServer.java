package dev.sluice.example.vertx;

import dev.sluice.jsse.SluiceProvider;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PfxOptions;
import java.security.Security;

/** An HTTP/2 and HTTP/1.1 server on Vert.x: {@code java -jar vertx.jar KEYSTORE.p12 PASSWORD}. */
public final class VertxServer {
    private VertxServer() {}

    /** Serves until the process ends. */
    public static void main(String[] arguments) {
        Security.insertProviderAt(new SluiceProvider(), 1);

        HttpServerOptions options = new HttpServerOptions()
                .setSsl(true)
                .setUseAlpn(true)
                .setKeyCertOptions(new PfxOptions().setPath(arguments[0]).setPassword(arguments[1]));
        HttpServer server = Vertx.vertx()
                .createHttpServer(options)
                .requestHandler(request -> request.response()
                        .putHeader("content-type", "text/plain")
                        .end("Hello from Vert.x over " + request.version() + "\n"))
                .listen(0, "localhost")
                .await();
        System.out.println("https://localhost:" + server.actualPort() + "/");
    }
}
