package dev.sluice.interop.example;

import dev.sluice.net.client.TlsClient;
import dev.sluice.net.peer.CertificateRejectedException;
import dev.sluice.net.peer.ConnectionFailedException;
import dev.sluice.net.peer.TlsHandler;
import dev.sluice.net.peer.TlsPeer;
import java.util.concurrent.CompletableFuture;

/** A TLS client that reacts to each kind of failure. */
public final class AsynchronousClient {
    private AsynchronousClient() {}

    public static CompletableFuture<String> connect(TlsClient client, String host, int port, TlsHandler handler) {
        // snippet: asynchronous client
        CompletableFuture<TlsPeer> connected = client.connect(host, port, handler);
        CompletableFuture<String> outcome = connected.handle((peer, thrown) -> switch (thrown) {
            case null -> peer.facts().toString();
            case CertificateRejectedException rejected -> "do not retry: " + rejected.getMessage();
            case ConnectionFailedException failed when failed.isPeersFault() -> "the server: " + failed.getMessage();
            default -> "the network, or this side: " + thrown.getMessage();
        });
        // end
        return outcome;
    }
}
