package dev.sluice.bench.idle;

import dev.sluice.bench.load.Latencies;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The clients of one process. Confined to one thread, which keeps some connections; the others are opened by more. */
final class Crowd implements AutoCloseable {
    private static final int OPENING_AT_ONCE = 4;
    private static final int FIRST_MESSAGE_BYTES = 1;
    private static final int MESSAGE_BYTES = 128;
    private static final int IN_FLIGHT_MAX = 64;

    private final CrowdTools tools = new CrowdTools();
    private final List<CrowdMember> kept = new ArrayList<>();
    private int[] resting = new int[0];

    /** Opens connections for later messages. */
    void keep(InetSocketAddress server, int count, InetSocketAddress source) {
        for (int i = 0; i < count; i++) {
            CrowdMember member = tools.connect(source, server);
            kept.add(member);
            member.exchange(FIRST_MESSAGE_BYTES);
        }
    }

    /** Opens connections that rest after their first message, without any state but a descriptor. */
    void rest(InetSocketAddress server, int count, InetSocketAddress source) throws InterruptedException {
        int before = resting.length;
        resting = Arrays.copyOf(resting, before + count);
        AtomicInteger next = new AtomicInteger(before);
        AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < OPENING_AT_ONCE; i++) {
            threads.add(Thread.ofPlatform().start(() -> openInTurn(server, source, next, failure)));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        RuntimeException failed = failure.get();
        if (failed != null) {
            throw failed;
        }
    }

    private void openInTurn(
            InetSocketAddress server,
            InetSocketAddress source,
            AtomicInteger next,
            AtomicReference<@Nullable RuntimeException> failure) {
        try (CrowdTools own = new CrowdTools()) {
            int at;
            while (failure.get() == null && (at = next.getAndIncrement()) < resting.length) {
                CrowdMember member = own.connect(source, server);
                member.exchange(FIRST_MESSAGE_BYTES);
                resting[at] = member.rest();
            }
        } catch (RuntimeException e) {
            failure.set(e);
        }
    }

    /** Exchanges messages on the kept connections, one after the other; returns percentiles of the round trips. */
    String probe(int count) throws InterruptedException {
        long[] nanos = new long[count];
        for (int i = 0; i < count; i++) {
            CrowdMember member = kept.get(i % kept.size());
            long begin = System.nanoTime();
            member.exchange(MESSAGE_BYTES);
            nanos[i] = System.nanoTime() - begin;
            Thread.sleep(1);
        }
        Arrays.sort(nanos);
        return "p50=" + Latencies.percentile(nanos, 0.5) + " p99=" + Latencies.percentile(nanos, 0.99);
    }

    /** Exchanges messages on the kept connections in turn, some of them at a time. */
    void talk(int count) {
        int inFlight = Math.min(IN_FLIGHT_MAX, kept.size());
        for (int done = 0; done < count; done += inFlight) {
            for (int i = 0; i < inFlight; i++) {
                kept.get((done + i) % kept.size()).send(MESSAGE_BYTES);
            }
            for (int i = 0; i < inFlight; i++) {
                kept.get((done + i) % kept.size()).await(MESSAGE_BYTES);
            }
        }
    }

    /** Returns the number of resting connections that the server has not ended. */
    int countResting() {
        return (int) Arrays.stream(resting).filter(tools::isResting).count();
    }

    @Override
    public void close() {
        kept.forEach(CrowdMember::close);
        Arrays.stream(resting).forEach(tools::close);
        tools.close();
    }
}
