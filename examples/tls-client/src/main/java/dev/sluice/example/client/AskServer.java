package dev.sluice.example.client;

import dev.sluice.net.channel.TlsChannel;
import dev.sluice.net.client.TlsClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A client that sends a text and prints the answer: {@code java -jar tls-client.jar HOST PORT ROOT.pem TEXT}. */
public final class AskServer {
    private AskServer() {}

    /** Prints the version of TLS, then what the server has sent until its end. */
    public static void main(String[] arguments) throws IOException {
        try (TlsClient client = TlsClient.builder().trust(Path.of(arguments[2])).build();
                TlsChannel channel = client.open(arguments[0], Integer.parseInt(arguments[1]))) {
            System.out.println(channel.facts().version());
            channel.outputStream().write(arguments[3].getBytes(StandardCharsets.UTF_8));
            channel.shutdownOutput();
            channel.inputStream().transferTo(System.out);
            System.out.println();
        }
    }
}
