package dev.sluice.bench.scrape;

import dev.sluice.bench.harness.BenchException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A scraper of a gateway's metrics, like Prometheus: at once, and then each second until the close. */
public final class Scraper implements AutoCloseable {
    private static final long PAUSE_MILLIS = 1_000;
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final byte[] REQUEST =
            "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final int port;
    private final Thread thread;
    private volatile @Nullable BenchException failure;

    private Scraper(int port) {
        this.port = port;
        this.thread = Thread.ofPlatform().daemon().name("scraper").unstarted(this::run);
    }

    /** Starts scraping. */
    public static Scraper start(int port) {
        Scraper scraper = new Scraper(port);
        scraper.thread.start();
        return scraper;
    }

    private void run() {
        try {
            while (true) {
                scrape(port);
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException over) {
            // Closed.
        } catch (BenchException e) {
            failure = e;
        }
    }

    /**
     * Scrapes once.
     *
     * @return number of received bytes, including headers
     * @throws BenchException when the answer is not a page
     */
    public static int scrape(int port) {
        return answer(port).length;
    }

    /** Scrapes once, and returns the answer including headers. */
    public static String page(int port) {
        return new String(answer(port), StandardCharsets.UTF_8);
    }

    private static byte[] answer(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.getOutputStream().write(REQUEST);
            byte[] answer = socket.getInputStream().readAllBytes();
            String text = new String(answer, StandardCharsets.UTF_8);
            if (!text.startsWith("HTTP/1.1 200") || !text.contains("sluice_connections")) {
                throw new BenchException("no page of metrics on port " + port + ", but: "
                        + text.lines().findFirst().orElse("nothing"));
            }
            return answer;
        } catch (IOException e) {
            throw new BenchException("no metrics on port " + port + ": " + e, e);
        }
    }

    /**
     * Stops scraping.
     *
     * @throws BenchException when the answer is not a page
     */
    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        BenchException failed = failure;
        if (failed != null) {
            throw failed;
        }
    }
}
