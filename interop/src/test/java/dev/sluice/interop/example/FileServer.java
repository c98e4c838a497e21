package dev.sluice.interop.example;

import dev.sluice.net.channel.TlsChannel;
import dev.sluice.net.server.TlsServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

// snippet: file server
/** A server of files over HTTPS: blocking code, and a virtual thread for each connection. */
public final class FileServer {
    private FileServer() {}

    public static TlsServer start(int port, Path chain, Path key, Path root) {
        return TlsServer.builder()
                .loopback(port)
                .certificate(chain, key)
                .alpn("http/1.1")
                .channels(channel -> serve(channel, root.toRealPath()))
                .start();
    }

    private static void serve(TlsChannel channel, Path root) throws IOException {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(channel.inputStream(), StandardCharsets.US_ASCII));
        String request = lines.readLine();
        for (String line = request; line != null && !line.isEmpty(); line = lines.readLine()) {
            // Headers do not matter here.
        }
        String[] words = request == null ? new String[0] : request.split(" ", 3);
        Path file = root.resolve(words.length == 3 ? words[1].substring(1) : "").normalize();
        if (!file.startsWith(root) || !Files.isRegularFile(file)) {
            writeHead(channel, "404 Not Found", 0);
            return;
        }
        try (FileChannel content = FileChannel.open(file)) {
            writeHead(channel, "200 OK", content.size());
            for (long sent = 0; sent < content.size(); ) {
                sent += content.transferTo(sent, content.size() - sent, channel);
            }
        }
    }

    private static void writeHead(TlsChannel channel, String status, long length) throws IOException {
        String head = "HTTP/1.1 " + status + "\r\nContent-Length: " + length + "\r\nConnection: close\r\n\r\n";
        channel.outputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    }
}
// end
