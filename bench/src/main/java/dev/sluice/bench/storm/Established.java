package dev.sluice.bench.storm;

import dev.sluice.bench.load.Latencies;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Established connections that exchange small messages at a fixed rate, several per millisecond, independent of earlier
 * ones. A latency counts from the sending; a message that does not return within {@value #PATIENCE_MILLIS} ms of the
 * end counts with the time that it has been missing.
 *
 * <p>The thread sleeps in between, so that others can use the core, and the kernel wakes it before them if its priority
 * is higher.
 */
final class Established {
    private static final int MESSAGE_BYTES = 128;
    private static final long PATIENCE_MILLIS = 2_000;
    private static final double MILLIS_PER_SECOND = 1e3;
    private static final byte[] MESSAGE = new byte[MESSAGE_BYTES];

    private final Clients clients;
    private final List<Caller> callers = new ArrayList<>();

    Established(Clients clients) {
        this.clients = clients;
    }

    /** Connects, and has one message echoed on each connection. */
    void connect(int port, int connections) {
        clients.<Boolean>play(over -> {
            for (int i = 0; i < connections; i++) {
                Caller caller = new Caller(over, connections);
                callers.add(caller);
                caller.client.connect(port);
            }
        });
    }

    /** Sends messages at a rate for a while, and summarizes their latencies. */
    String probe(long millis, double perSecond) {
        return clients.play(over -> new Run(over, millis, perSecond).tick());
    }

    /** Ends the connections. */
    void dismiss() {
        clients.<Boolean>play(over -> {
            callers.forEach(caller -> caller.client.abort());
            callers.clear();
            over.complete(true);
        });
    }

    /** One connection, with the send times of its messages in flight. */
    private final class Caller implements TlsClient.Owner {
        private final TlsClient client = new TlsClient(clients, null, MESSAGE_BYTES, this);
        private final CompletableFuture<Boolean> allReady;
        private final int expected;
        private long[] sentAt = new long[64];
        private int first;
        private int count;
        private @Nullable Run run;

        Caller(CompletableFuture<Boolean> allReady, int expected) {
            this.allReady = allReady;
            this.expected = expected;
        }

        void send(Run sending) {
            run = sending;
            if (count == sentAt.length) {
                grow();
            }
            sentAt[(first + count++) & (sentAt.length - 1)] = System.nanoTime();
            client.send(MESSAGE);
        }

        private void grow() {
            long[] larger = new long[sentAt.length * 2];
            for (int i = 0; i < count; i++) {
                larger[i] = sentAt[(first + i) & (sentAt.length - 1)];
            }
            sentAt = larger;
            first = 0;
        }

        /** Returns the send time of the oldest message in flight and removes it. */
        private long take() {
            long sent = sentAt[first];
            first = (first + 1) & (sentAt.length - 1);
            count--;
            return sent;
        }

        @Override
        public void onReady(TlsClient ready) {
            if (callers.size() == expected && callers.stream().allMatch(caller -> caller.client.isReady())) {
                allReady.complete(true);
            }
        }

        @Override
        public void onMessage(TlsClient from) {
            if (run != null && count > 0) {
                run.took(System.nanoTime() - take());
            }
        }

        @Override
        public void onOver(TlsClient ended, String why) {
            RuntimeException reason = new IllegalStateException("an established connection broke: " + why);
            allReady.completeExceptionally(reason);
            if (run != null) {
                run.broken(reason);
            }
        }
    }

    /** The messages of one probe. */
    private final class Run {
        private final CompletableFuture<String> over;
        private final long begin = System.nanoTime();
        private final long millis;
        private final double perMilli;
        private long[] nanos = new long[1 << 16];
        private int count;
        private long sent;

        Run(CompletableFuture<String> over, long millis, double perSecond) {
            this.over = over;
            this.millis = millis;
            this.perMilli = perSecond / MILLIS_PER_SECOND;
        }

        void tick() {
            long elapsed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
            if (elapsed < millis) {
                for (; sent < elapsed * perMilli; sent++) {
                    callers.get((int) (sent % callers.size())).send(this);
                }
                clients.loop().schedule(1, this::tick);
            } else if (count < sent && elapsed < millis + PATIENCE_MILLIS) {
                clients.loop().schedule(1, this::tick);
            } else {
                finish();
            }
        }

        void took(long duration) {
            if (count == nanos.length) {
                nanos = Arrays.copyOf(nanos, count * 2);
            }
            nanos[count++] = duration;
        }

        void broken(RuntimeException reason) {
            over.completeExceptionally(reason);
        }

        private void finish() {
            int back = count;
            for (Caller caller : callers) {
                while (caller.count > 0) {
                    took(System.nanoTime() - caller.take());
                }
            }
            long[] all = Arrays.copyOf(nanos, count);
            Arrays.sort(all);
            over.complete("p50=" + Latencies.percentile(all, 0.5) + " p99=" + Latencies.percentile(all, 0.99) + " p999="
                    + Latencies.percentile(all, 0.999) + " count=" + count + " missing=" + (count - back));
        }
    }
}
