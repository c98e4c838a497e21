package dev.sluice.gateway.admin;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Those who watch live, by server-sent events: each gets a whole snapshot first, then what is new each second, and a
 * whole one again when it could not follow. Each has a virtual thread of its own, which waits for news; nothing is
 * queued for it.
 */
final class EventStreams {
    /** The most streams that may be open at a time. */
    static final int STREAMS_MAX = 16;

    private int open;
    private boolean closed;
    private long number;
    private String news = "";

    /** The news of one sample: enough for a client that has seen the previous one. */
    private record Event(long number, String news) {}

    /** Returns true when there is at least one client to publish for. */
    synchronized boolean anybody() {
        return open > 0;
    }

    /** There is news: what has changed since the last time. */
    synchronized void publish(String newNews) {
        number++;
        news = newNews;
        notifyAll();
    }

    /** Ends all streams. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }

    /** Takes one of the places; false when all are taken. {@link #leave} gives it back. */
    synchronized boolean enter() {
        if (open == STREAMS_MAX) {
            return false;
        }
        open++;
        return true;
    }

    synchronized void leave() {
        open--;
    }

    /**
     * Sends events until the client goes, or the endpoint does.
     *
     * @param whole tells all that there is to know now
     * @throws IOException when the client has gone, or does not read
     */
    void serve(AdminExchange exchange, Supplier<String> whole) throws IOException {
        try {
            OutputStream body = Replies.stream(exchange, "text/event-stream; charset=utf-8");
            long seen = current();
            send(exchange, body, "snapshot", whole.get());
            for (Event event = next(seen); event != null; event = next(seen)) {
                boolean followed = event.number() == seen + 1;
                send(exchange, body, followed ? "sample" : "snapshot", followed ? event.news() : whole.get());
                seen = event.number();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized long current() {
        return number;
    }

    /** Waits for an event behind the last one seen; null when there will be none. */
    private synchronized @Nullable Event next(long seen) throws InterruptedException {
        while (number == seen && !closed) {
            wait();
        }
        return closed ? null : new Event(number, news);
    }

    private static void send(AdminExchange exchange, OutputStream body, String event, String data) throws IOException {
        exchange.extend();
        body.write(("event: " + event + "\ndata: " + data + "\n\n").getBytes(StandardCharsets.UTF_8));
        body.flush();
    }
}
