package dev.sluice.example.files;

import dev.sluice.net.channel.TlsChannel;
import dev.sluice.net.server.TlsServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A server of files over HTTP, with a virtual thread and a blocking channel for each connection: {@code java -jar
 * file-server.jar CHAIN.pem KEY.pem DIRECTORY}.
 */
public final class FileServer {
    private final Path root;

    private FileServer(Path root) {
        this.root = root;
    }

    /** Serves until the process ends. */
    public static void main(String[] arguments) throws InterruptedException {
        FileServer files = new FileServer(Path.of(arguments[2]).toAbsolutePath().normalize());
        TlsServer server = TlsServer.builder()
                .loopback(0)
                .certificate(Path.of(arguments[0]), Path.of(arguments[1]))
                .channels(files::serve)
                .start();
        System.out.println("https://localhost:" + server.address().getPort() + "/");
        Thread.currentThread().join(); // the loops do not keep the process alive
    }

    /** Answers one request. */
    private void serve(TlsChannel channel) throws IOException {
        BufferedReader request =
                new BufferedReader(new InputStreamReader(channel.inputStream(), StandardCharsets.US_ASCII));
        String[] words = String.valueOf(request.readLine()).split(" "); // such as GET /name HTTP/1.1
        Path file = root.resolve(words.length < 2 ? "" : words[1].substring(1)).normalize();
        if (!file.startsWith(root) || !Files.isRegularFile(file)) {
            write(channel, "404 Not Found", 0);
            return;
        }
        try (FileChannel content = FileChannel.open(file)) {
            long size = content.size();
            write(channel, "200 OK", size);
            for (long sent = 0; sent < size; ) {
                sent += content.transferTo(sent, size - sent, channel);
            }
        }
    }

    private static void write(TlsChannel channel, String status, long length) throws IOException {
        String head = "HTTP/1.1 " + status + "\r\nContent-Length: " + length + "\r\nConnection: close\r\n\r\n";
        channel.write(ByteBuffer.wrap(head.getBytes(StandardCharsets.US_ASCII)));
    }
}
