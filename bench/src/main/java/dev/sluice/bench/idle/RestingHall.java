package dev.sluice.bench.idle;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.harness.Summary;
import dev.sluice.bench.process.Answer;
import dev.sluice.bench.process.JvmHeap;
import dev.sluice.bench.process.Site;
import dev.sluice.bench.process.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** The server processes that together carry all connections, and their clients and backends. */
final class RestingHall implements AutoCloseable {
    private static final int DRAIN_SECONDS_MAX = 120;
    private static final int PROBE_MESSAGES = 500;

    private final RestingServer kind;
    private final List<RestingCell> cells = new ArrayList<>();

    private RestingHall(RestingServer kind) {
        this.kind = kind;
    }

    /** Starts as many servers as the descriptors demand, with equal shares. */
    static RestingHall open(Site site, RestingServer kind, int connections) throws InterruptedException {
        RestingHall hall = new RestingHall(kind);
        try {
            int crowds = 0;
            for (int share : shares(connections, RestingServer.connectionsMax(Usage.descriptorLimit()))) {
                hall.cells.add(new RestingCell(site, kind, share, crowds));
                crowds += RestingCell.crowdsFor(share);
            }
            hall.inParallel(RestingCell::awaitService);
            return hall;
        } catch (RuntimeException | InterruptedException e) {
            hall.close();
            throw e;
        }
    }

    /** Returns the connections of each server, at most so many and about equally many. */
    static List<Integer> shares(int connections, int mostEach) {
        int most = Math.max(1, mostEach - CrowdProcess.KEPT);
        int servers = Math.ceilDiv(connections, most);
        List<Integer> shares = new ArrayList<>();
        for (int i = 0; i < servers; i++) {
            shares.add(connections / servers + (i < connections % servers ? 1 : 0));
        }
        return shares;
    }

    /** Opens resting connections until a part of all is open; returns the duration in nanoseconds. */
    long fill(double part) throws InterruptedException {
        long begin = System.nanoTime();
        inParallel(cell -> cell.fill(part));
        return System.nanoTime() - begin;
    }

    /** Measures at rest: first the CPU time, which the other measurements would disturb. */
    RestFigures figures(long restMillis) throws InterruptedException {
        double busy = busy(restMillis);
        long heap = 0;
        if (kind.isJvm()) {
            for (RestingCell cell : cells) {
                heap += JvmHeap.liveBytes(cell.server().pid());
            }
        }
        List<Answer> latencies = new ArrayList<>();
        for (RestingCell cell : cells) {
            latencies.add(cell.crowds().getFirst().probe(Math.ceilDiv(PROBE_MESSAGES, cells.size())));
        }
        return new RestFigures(
                cells.stream().mapToInt(RestingCell::opened).sum(),
                Usage.anonymousBytes(servers()),
                heap,
                Usage.residentBytes(servers()),
                Usage.kernelBytes(),
                Usage.anonymousBytes(crowds()),
                busy,
                Summary.of(numbers(latencies, "p50")).median(),
                Summary.of(numbers(latencies, "p99")).max());
    }

    private double busy(long restMillis) throws InterruptedException {
        long before = Usage.cpuNanos(servers());
        long begin = System.nanoTime();
        Thread.sleep(restMillis);
        return (Usage.cpuNanos(servers()) - before) / (double) (System.nanoTime() - begin);
    }

    private static double[] numbers(List<Answer> answers, String name) {
        return answers.stream().mapToDouble(answer -> answer.number(name)).toArray();
    }

    /**
     * Checks that the servers have ended no connection.
     *
     * @throws BenchException when they have
     */
    void requireAllOpen() {
        int opened = cells.stream().mapToInt(RestingCell::opened).sum();
        int resting = cells.stream().mapToInt(RestingCell::resting).sum();
        if (resting != opened) {
            throw new BenchException("the server ended resting connections, opened=" + opened + ", resting=" + resting);
        }
    }

    /** Returns the number of servers. */
    int size() {
        return cells.size();
    }

    /** Terminates all servers at once; returns the time until the last has ended, in nanoseconds. */
    long drain() {
        long begin = System.nanoTime();
        cells.forEach(cell -> cell.server().terminate());
        cells.forEach(cell -> cell.server().awaitEnd(DRAIN_SECONDS_MAX));
        return System.nanoTime() - begin;
    }

    private List<Long> servers() {
        return cells.stream().flatMap(cell -> cell.server().tree().stream()).toList();
    }

    private List<Long> crowds() {
        return cells.stream()
                .flatMap(cell -> cell.crowds().stream())
                .map(CrowdProcess::pid)
                .toList();
    }

    private void inParallel(Consumer<RestingCell> action) throws InterruptedException {
        List<Future<?>> futures = new ArrayList<>();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            cells.forEach(cell -> futures.add(executor.submit(() -> action.accept(cell))));
        }
        for (Future<?> future : futures) {
            try {
                future.get();
            } catch (ExecutionException e) {
                throw new BenchException("a server with its clients failed: " + e.getCause(), e);
            }
        }
    }

    @Override
    public void close() {
        cells.forEach(RestingCell::close);
    }
}
