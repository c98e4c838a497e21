package dev.sluice.gateway.ocsp;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An HTTP server that answers as a test wants. On platform threads: virtual ones make the JDK open descriptors that it
 * keeps, which would look like leaks.
 */
public final class ResponderDouble implements AutoCloseable {
    /** A function from a request to its answer. */
    @FunctionalInterface
    public interface Behaviour {
        /**
         * Takes the body of a request and writes the answer, HTTP included, to the connection, which is closed behind
         * it.
         */
        void answer(byte[] request, Socket connection) throws Exception;
    }

    private final ServerSocket listener;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger requests = new AtomicInteger();
    private volatile Behaviour behaviour;

    private ResponderDouble(ServerSocket listener, Behaviour behaviour) {
        this.listener = listener;
        this.behaviour = behaviour;
    }

    /** Starts on a port of the loopback address. */
    public static ResponderDouble behaving(Behaviour behaviour) {
        try {
            ResponderDouble made =
                    new ResponderDouble(new ServerSocket(0, 100, InetAddress.getLoopbackAddress()), behaviour);
            Thread.ofPlatform().daemon().name("responder").start(made::acceptAll);
            return made;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Answers with a function of the request's body. */
    public interface Answer {
        /** The response in DER. */
        byte[] to(byte[] request) throws Exception;
    }

    /** Says status 200 and what the function makes of the request. */
    public static Behaviour answering(Answer answer) {
        return (request, connection) -> http(connection, "200 OK", answer.to(request));
    }

    /** Says nothing, for as long as the other side waits. */
    public static Behaviour hanging() {
        return (request, connection) -> connection.getInputStream().transferTo(OutputStream.nullOutputStream());
    }

    /** Says an HTTP status. */
    public static Behaviour refusing(String status) {
        return (request, connection) -> http(connection, status, new byte[0]);
    }

    private static void http(Socket connection, String status, byte[] body) throws IOException {
        String head = "HTTP/1.1 " + status + "\r\nContent-Type: application/ocsp-response\r\nContent-Length: "
                + body.length + "\r\n\r\n";
        OutputStream to = connection.getOutputStream();
        to.write(head.getBytes(US_ASCII));
        to.write(body);
        to.flush();
    }

    /** Behaves otherwise from the next request on. */
    public void behave(Behaviour other) {
        behaviour = other;
    }

    /** Returns the responder's URI. */
    public URI uri() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort() + "/ocsp");
    }

    /** Returns the number of requests so far. */
    public int requests() {
        return requests.get();
    }

    private void acceptAll() {
        try {
            while (true) {
                Socket socket = listener.accept();
                open.add(socket);
                Thread.ofPlatform().daemon().name("responder-answer").start(() -> answer(socket));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private void answer(Socket socket) {
        try (socket) {
            byte[] body = body(socket.getInputStream());
            requests.incrementAndGet();
            behaviour.answer(body, socket);
        } catch (Exception e) {
            // The other side has gone, or the test is over.
        } finally {
            open.remove(socket);
        }
    }

    /** Reads a request to the end of its body. */
    private static byte[] body(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(US_ASCII).endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("no whole request");
            }
            head.write(next);
        }
        String length = head.toString(US_ASCII)
                .lines()
                .filter(line -> line.regionMatches(true, 0, "content-length:", 0, 15))
                .findFirst()
                .orElse("content-length: 0")
                .substring(15);
        return in.readNBytes(Integer.parseInt(length.trim()));
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
