package dev.sluice.interop.doctor;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Stands before a TLS server on 127.0.0.1: speaks another protocol first, or lets only so much of the server through.
 */
final class Front implements AutoCloseable {
    private final ServerSocket listener;
    private final int server;
    private final Prologue prologue;
    private final long mostBytes;

    /** The exchange before TLS begins. */
    @FunctionalInterface
    interface Prologue {
        void speak(InputStream in, OutputStream out) throws IOException;
    }

    private Front(int server, Prologue prologue, long mostBytes) {
        try {
            this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.server = server;
        this.prologue = prologue;
        this.mostBytes = mostBytes;
        Thread.ofVirtual().name("front").start(this::accept);
    }

    /** Speaks SMTP as far as STARTTLS (RFC 3207). */
    static Front smtp(int server) {
        return new Front(
                server,
                (in, out) -> {
                    say(out, "220-mail.example\r\n220 ESMTP\r\n");
                    expect(in, "EHLO");
                    say(out, "250-mail.example\r\n250-PIPELINING\r\n250 STARTTLS\r\n");
                    expect(in, "STARTTLS");
                    say(out, "220 go ahead\r\n");
                },
                Long.MAX_VALUE);
    }

    /** Speaks IMAP as far as STARTTLS (RFC 9051 section 6.2.1). */
    static Front imap(int server) {
        return new Front(
                server,
                (in, out) -> {
                    say(out, "* OK IMAP4rev2 ready\r\n");
                    expect(in, "a1 STARTTLS");
                    say(out, "* CAPABILITY IMAP4rev2\r\na1 OK begin TLS\r\n");
                },
                Long.MAX_VALUE);
    }

    /** Answers PostgreSQL's SSLRequest. */
    static Front postgres(int server) {
        return new Front(
                server,
                (in, out) -> {
                    if (in.readNBytes(8)[3] == 8) {
                        say(out, "S");
                    }
                },
                Long.MAX_VALUE);
    }

    /** Lets so many bytes of each connection's server through, and then nothing more. */
    static Front thatFallsSilent(int server, long mostBytes) {
        return new Front(server, (in, out) -> {}, mostBytes);
    }

    int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                Thread.ofVirtual().start(() -> serve(client));
            } catch (IOException e) {
                return; // the test is over
            }
        }
    }

    private void serve(Socket client) {
        try (client;
                Socket behind = new Socket(InetAddress.getLoopbackAddress(), server)) {
            prologue.speak(client.getInputStream(), client.getOutputStream());
            Thread.ofVirtual().start(() -> pass(client, behind, Long.MAX_VALUE));
            pass(behind, client, mostBytes);
            if (mostBytes < Long.MAX_VALUE) {
                client.getInputStream().transferTo(OutputStream.nullOutputStream());
            }
        } catch (IOException e) {
            // One of the two has gone: so does the other.
        }
    }

    private static void pass(Socket from, Socket to, long most) {
        try {
            byte[] bytes = new byte[4_096];
            long left = most;
            InputStream in = from.getInputStream();
            for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                int passed = (int) Math.min(count, left);
                to.getOutputStream().write(bytes, 0, passed);
                left -= passed;
                if (left == 0) {
                    return;
                }
            }
            to.shutdownOutput();
        } catch (IOException e) {
            // told to both by the close
        }
    }

    private static void say(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Byte by byte, since a ClientHello may follow. */
    private static void expect(InputStream in, String begin) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
            line.append((char) b);
        }
        if (!line.toString().startsWith(begin)) {
            throw new IOException("expected " + begin + ", got " + line);
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
