package dev.sluice.jsse;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A responder over HTTP that counts what it is asked, on a thread of its own. */
final class CountingResponder implements AutoCloseable {
    private static final String LENGTH = "content-length:";

    private final ServerSocket listener;
    private final UnaryOperator<byte @Nullable []> answer;
    private final AtomicInteger asked = new AtomicInteger();

    private CountingResponder(int port, UnaryOperator<byte @Nullable []> answer) throws IOException {
        this.listener = new ServerSocket(port, 10, InetAddress.getLoopbackAddress());
        this.answer = answer;
        Thread.ofVirtual().start(this::serve);
    }

    /**
     * Starts one that always answers the same.
     *
     * @param answer null to let clients wait
     */
    static CountingResponder answering(int port, byte @Nullable [] answer) throws IOException {
        return new CountingResponder(port, _ -> answer);
    }

    /** Starts one that passes questions on. */
    static CountingResponder before(int port, String responder) throws IOException {
        return new CountingResponder(port, question -> ask(responder, question));
    }

    private static byte[] ask(String responder, byte @Nullable [] question) {
        try {
            URLConnection connection = URI.create(responder).toURL().openConnection();
            connection.setDoOutput(true);
            connection.setRequestProperty("Content-Type", "application/ocsp-request");
            connection.getOutputStream().write(question);
            return connection.getInputStream().readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the number of questions so far. */
    int asked() {
        return asked.get();
    }

    private void serve() {
        while (!listener.isClosed()) {
            try (Socket client = listener.accept()) {
                answer(client);
            } catch (SocketException closed) {
                return;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void answer(Socket client) throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(client.getInputStream()));
        int length = 0;
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            if (line.toLowerCase(Locale.ROOT).startsWith(LENGTH)) {
                length = Integer.parseInt(line.substring(LENGTH.length()).strip());
            }
        }
        byte[] question = in.readNBytes(length);
        asked.incrementAndGet();
        byte[] body = answer.apply(question);
        if (body == null) {
            in.read(); // until the client closes
            return;
        }
        OutputStream out = client.getOutputStream();
        out.write(("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " + body.length + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        out.write(body);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int each = in.read(); each >= 0 && each != '\n'; each = in.read()) {
            line.append((char) each);
        }
        return line.toString().strip();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
