package dev.sluice.gateway.admin;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One connection to the admin endpoint: a handshake where there is TLS, a request, an answer, the end. Runs on one
 * thread.
 */
final class AdminConnection implements Runnable {
    /**
     * The most bytes to read of a request that was refused before its end, so that its client sees the answer and no
     * reset.
     */
    private static final int LINGER_BYTES_MAX = 64 * 1024;

    private static final AdminRequest UNREADABLE = new AdminRequest("GET", "/", "", Map.of());

    private final Socket socket;
    private final @Nullable AdminTls tls;
    private final AdminConnections connections;
    private final Routes routes;
    private volatile long deadlineNanos;
    private @Nullable Thread thread;

    /**
     * Makes one, whose time begins.
     *
     * @param socket this object's from now on
     * @param tls null: without
     */
    AdminConnection(Socket socket, @Nullable AdminTls tls, AdminConnections connections, Routes routes) {
        this.socket = socket;
        this.tls = tls;
        this.connections = connections;
        this.routes = routes;
        allow(AdminConnections.TIME_MAX);
    }

    /** Serves it on a thread of its own. */
    void start() {
        thread = Thread.ofVirtual().name("admin-request").unstarted(this);
        connections.accepted(this);
        thread.start();
    }

    private void allow(Duration time) {
        deadlineNanos = System.nanoTime() + time.toNanos();
    }

    boolean isOverdue(long now) {
        return now - deadlineNanos > 0;
    }

    /** Closes it under its thread, and wakes that from whatever it waits for. */
    void end() {
        try {
            socket.close();
        } catch (IOException alreadyGone) {
            // All the better.
        }
        if (thread != null) {
            thread.interrupt();
        }
    }

    @Override
    public void run() {
        try (Socket raw = socket;
                Socket stream = tls == null ? raw : tls.over(raw)) {
            raw.setTcpNoDelay(true);
            serve(stream.getInputStream(), stream);
        } catch (IOException gone) {
            // The client went away, or was sent away.
        } finally {
            connections.over(this);
        }
    }

    private void serve(InputStream input, Socket stream) throws IOException {
        OutputStream output = new BufferedOutputStream(stream.getOutputStream());
        try {
            AdminRequest request = new RequestReader(new BufferedInputStream(input)).read();
            if (request != null) {
                answer(new AdminExchange(request, output, this::allow));
            }
        } catch (BadRequestException bad) {
            AdminExchange exchange = new AdminExchange(UNREADABLE, output, this::allow);
            Replies.text(exchange, bad.status(), String.valueOf(bad.getMessage()));
            linger(input, stream);
        }
    }

    private void answer(AdminExchange exchange) throws IOException {
        switch (connections.arrived(this, Routes.isHealth(exchange.request()))) {
            case ADMITTED -> routes.handle(exchange);
            case TOO_MANY ->
                Replies.text(exchange, 503, "too many requests are being answered; try again in some seconds");
            case TOO_LATE -> {}
        }
    }

    /** A socket that is closed with bytes unread resets the connection, and the answer may be lost with it. */
    private static void linger(InputStream input, Socket stream) throws IOException {
        stream.shutdownOutput();
        byte[] some = new byte[1024];
        int left = LINGER_BYTES_MAX;
        for (int read = input.read(some); read >= 0 && left > 0; read = input.read(some)) {
            left -= read;
        }
    }
}
