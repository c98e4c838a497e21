package dev.sluice.bench.hostile;

import dev.sluice.bench.certificates.TrustsAnyone;
import dev.sluice.bench.harness.BenchException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;

/**
 * An honest client on the JDK's TLS: repeatedly has 1 MB echoed over one connection, compares it, and measures the
 * time.
 */
final class Witness implements AutoCloseable {
    private static final int MESSAGE_BYTES = 1_000_000;
    private static final int PIECE_BYTES = 50_000;
    private static final int TIMEOUT_MILLIS = 60_000;
    private static final int TIMES_MAX = 1 << 20;
    private static final int MEDIAN_PERCENT = 50;
    private static final int TAIL_PERCENT = 99;
    private static final int PERCENT = 100;

    private final SSLSocket socket;
    private final byte[] message = new byte[MESSAGE_BYTES];
    private final long[] nanos = new long[TIMES_MAX];
    private volatile boolean going;
    private CompletableFuture<String> watching = CompletableFuture.completedFuture("");

    private Witness(SSLSocket socket) {
        this.socket = socket;
        new SecureRandom().nextBytes(message);
    }

    /** Connects to a gateway on 127.0.0.1, and requests an echo from the backend. */
    static Witness connect(int port) {
        try {
            SSLContext context = SSLContext.getInstance("TLSv1.3");
            context.init(null, new TrustManager[] {new TrustsAnyone()}, null);
            SSLSocket socket =
                    (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.getOutputStream().write(HostileBackend.ECHO);
            return new Witness(socket);
        } catch (GeneralSecurityException | IOException e) {
            throw new BenchException("the witness cannot connect: " + e, e);
        }
    }

    /** Starts the exchanges. */
    void start() {
        going = true;
        watching = CompletableFuture.supplyAsync(
                this::watch, task -> Thread.ofPlatform().name("witness").start(task));
    }

    /** Stops after the current exchange, and returns the durations in nanoseconds. */
    String stop() {
        going = false;
        try {
            return watching.join();
        } catch (CompletionException e) {
            throw new BenchException(String.valueOf(e.getCause()), e);
        }
    }

    private String watch() {
        int times = 0;
        do {
            long begin = System.nanoTime();
            exchange();
            nanos[times++ % TIMES_MAX] = System.nanoTime() - begin;
        } while (going);
        long[] sorted = Arrays.copyOf(nanos, Math.min(times, TIMES_MAX));
        Arrays.sort(sorted);
        return "p50=" + percentile(sorted, MEDIAN_PERCENT) + " p99=" + percentile(sorted, TAIL_PERCENT) + " count="
                + times;
    }

    private static long percentile(long[] sorted, int percent) {
        return sorted[Math.min(sorted.length - 1, sorted.length * percent / PERCENT)];
    }

    private void exchange() {
        CompletableFuture<Void> writing = CompletableFuture.runAsync(
                this::write, task -> Thread.ofVirtual().start(task));
        try {
            InputStream input = socket.getInputStream();
            byte[] echo = input.readNBytes(MESSAGE_BYTES);
            writing.join();
            if (!Arrays.equals(echo, message)) {
                throw new BenchException("the witness's echo differs: " + echo.length + " of " + MESSAGE_BYTES
                        + " bytes came, or others");
            }
        } catch (IOException | CompletionException e) {
            throw new BenchException("the witness's connection broke: " + e, e);
        }
    }

    private void write() {
        try {
            OutputStream output = socket.getOutputStream();
            for (int at = 0; at < MESSAGE_BYTES; at += PIECE_BYTES) {
                output.write(message, at, PIECE_BYTES);
            }
        } catch (IOException e) {
            throw new BenchException("the witness cannot write: " + e, e);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new BenchException("the witness cannot close: " + e, e);
        }
    }
}
