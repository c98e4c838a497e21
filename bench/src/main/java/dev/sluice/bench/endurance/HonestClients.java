package dev.sluice.bench.endurance;

import dev.sluice.bench.certificates.TrustsAnyone;
import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.hostile.HostileBackend;
import java.io.IOException;
import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;

/**
 * Honest clients on the JDK's TLS, each on a virtual thread. Every byte sent is echoed by a backend and compared.
 * Some send small messages at a fixed rate, some bulk data, and some connect for one message: with a full handshake,
 * resumed, or with TLS 1.2. None keeps a connection for long, so that a gateway that drains ends.
 */
final class HonestClients implements AutoCloseable {
    /** The longest time for which one connection is used; shorter than the gateway's {@code drain}. */
    static final long CONNECTION_SECONDS = 20;

    private static final int TALKERS = 16;
    private static final int COPIERS = 2;
    private static final int VISITORS = 4;
    private static final long TALK_MILLIS = 20;
    private static final long COPY_MILLIS = 100;
    private static final long VISIT_MILLIS = 100;
    private static final int MESSAGE_BYTES = 128;
    private static final int COPY_BYTES = 1_000_000;
    private static final int PIECE_BYTES = 50_000;
    private static final int TIMEOUT_MILLIS = 30_000;

    /** The time after its failure in which a backend may be the reason why a connection breaks. */
    private static final long FAILURE_SECONDS = 2;

    private static final long NO_FAILURE = Long.MIN_VALUE;

    private final int port;
    private final TrafficTally tally;
    private final SSLContext known = context();
    private final List<Thread> threads = new ArrayList<>();
    private volatile long failedAt = NO_FAILURE;
    private volatile boolean over;

    private HonestClients(int port, TrafficTally tally) {
        this.port = port;
        this.tally = tally;
    }

    /**
     * Starts them.
     *
     * @param port the gateway's port on 127.0.0.1
     */
    static HonestClients start(int port, TrafficTally tally) {
        HonestClients clients = new HonestClients(port, tally);
        clients.start(TALKERS, TALK_MILLIS, number -> clients.talk());
        clients.start(COPIERS, COPY_MILLIS, number -> clients.copy());
        clients.start(VISITORS, VISIT_MILLIS, clients::visit);
        return clients;
    }

    /** One client's connections, one after the other. */
    @FunctionalInterface
    private interface Client {
        void connect(int number) throws IOException, InterruptedException;
    }

    /** Starts clients of a kind, spread over the time between two of their turns. */
    private void start(int count, long periodMillis, Client client) {
        for (int i = 0; i < count; i++) {
            int number = i;
            threads.add(Thread.ofVirtual().start(() -> run(number, periodMillis * number / count, client)));
        }
    }

    private void run(int number, long delayMillis, Client client) {
        try {
            TimeUnit.MILLISECONDS.sleep(delayMillis);
            while (!over) {
                try {
                    client.connect(number);
                } catch (IOException e) {
                    broke(e);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Says that a backend fails now: connections with it break. */
    void backendFails() {
        failedAt = System.nanoTime();
    }

    private void broke(IOException why) throws InterruptedException {
        long failed = failedAt;
        if (failed != NO_FAILURE && System.nanoTime() - failed < TimeUnit.SECONDS.toNanos(FAILURE_SECONDS)) {
            tally.lostWithBackend();
        } else {
            tally.broken();
            System.err.println(Instant.now() + " " + why);
        }
        TimeUnit.MILLISECONDS.sleep(TALK_MILLIS);
    }

    /** Messages there and back at a fixed rate; a late one delays those that follow, and its latency counts so. */
    private void talk() throws IOException, InterruptedException {
        byte[] message = random(MESSAGE_BYTES);
        try (SSLSocket socket = connect(known, "TLSv1.3")) {
            long begin = System.nanoTime();
            for (long turn = 0; isFresh(begin); turn++) {
                long due = begin + TimeUnit.MILLISECONDS.toNanos(turn * TALK_MILLIS);
                TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
                exchange(socket, message);
                if (turn > 0) { // the first waits for the connection to the backend
                    tally.message(System.nanoTime() - due);
                }
            }
        }
    }

    private void copy() throws IOException, InterruptedException {
        byte[] data = random(COPY_BYTES);
        try (SSLSocket socket = connect(known, "TLSv1.3")) {
            long begin = System.nanoTime();
            for (long turn = 0; isFresh(begin); turn++) {
                TimeUnit.NANOSECONDS.sleep(
                        begin + TimeUnit.MILLISECONDS.toNanos(turn * COPY_MILLIS) - System.nanoTime());
                copy(socket, data);
                tally.echoed(data.length);
            }
        }
    }

    /** Sends on another thread, since what comes back would otherwise fill all buffers on its way. */
    private static void copy(SSLSocket socket, byte[] data) throws IOException, InterruptedException {
        Thread sending = Thread.ofVirtual().start(() -> {
            try {
                for (int at = 0; at < data.length; at += PIECE_BYTES) {
                    socket.getOutputStream().write(data, at, PIECE_BYTES);
                }
            } catch (IOException broken) {
                // The reader sees it, too.
            }
        });
        expect(socket, data);
        sending.join();
    }

    private void visit(int number) throws IOException, InterruptedException {
        SSLContext context = number == 0 ? context() : known;
        byte[] message = random(MESSAGE_BYTES);
        try (SSLSocket socket = connect(context, number == 1 ? "TLSv1.2" : "TLSv1.3")) {
            exchange(socket, message);
        }
        tally.visit();
        TimeUnit.MILLISECONDS.sleep(VISIT_MILLIS);
    }

    private boolean isFresh(long begin) {
        return !over && System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(CONNECTION_SECONDS);
    }

    private SSLSocket connect(SSLContext context, String protocol) throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.setEnabledProtocols(new String[] {protocol});
            socket.getOutputStream().write(HostileBackend.ECHO);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private static void exchange(SSLSocket socket, byte[] message) throws IOException {
        socket.getOutputStream().write(message);
        expect(socket, message);
    }

    private static void expect(SSLSocket socket, byte[] sent) throws IOException {
        byte[] echo = socket.getInputStream().readNBytes(sent.length);
        if (!Arrays.equals(echo, sent)) {
            throw new IOException("the echo differs: " + echo.length + " of " + sent.length + " bytes came, or others");
        }
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        ThreadLocalRandom.current().nextBytes(bytes);
        return bytes;
    }

    private static SSLContext context() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new TrustsAnyone()}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new BenchException("the JDK has no TLS: " + e, e);
        }
    }

    /** Lets every client finish its turn. */
    @Override
    public void close() {
        over = true;
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
