package dev.sluice.interop.example;

import dev.sluice.net.channel.TlsChannel;
import dev.sluice.net.client.TlsClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A TLS client that blocks. */
public final class Client {
    private Client() {}

    public static String ask(Path authorities, int port, String text) throws IOException {
        byte[] request = text.getBytes(StandardCharsets.UTF_8);
        byte[] answer;
        // snippet: client
        try (TlsClient client = TlsClient.builder().trust(authorities).build();
                TlsChannel channel = client.open("localhost", port)) {
            channel.outputStream().write(request);
            answer = channel.inputStream().readNBytes(request.length);
        }
        // end
        return new String(answer, StandardCharsets.UTF_8);
    }
}
