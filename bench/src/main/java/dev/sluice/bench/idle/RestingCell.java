package dev.sluice.bench.idle;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.process.ManagedProcess;
import dev.sluice.bench.process.Ports;
import dev.sluice.bench.process.Site;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server process with the processes of its clients and backends. */
final class RestingCell implements AutoCloseable {
    private static final int START_SECONDS_MAX = 30;
    private static final long POLL_MILLIS = 100;

    private final List<CrowdProcess> crowds = new ArrayList<>();
    private final ManagedProcess server;
    private final int port = Ports.free();
    private final int connections;
    private int opened;

    /**
     * Starts everything, and opens the connections for messages.
     *
     * @param connections resting connections to come
     * @param firstCrowd number of the first crowd
     */
    RestingCell(Site site, RestingServer kind, int connections, int firstCrowd) {
        this.connections = connections;
        int count = crowdsFor(connections);
        try {
            for (int i = 0; i < count; i++) {
                crowds.add(CrowdProcess.start(site, firstCrowd + i));
            }
            List<Integer> backends =
                    crowds.stream().map(CrowdProcess::backendPort).toList();
            server = kind.start(site, port, backends, connections + count * CrowdProcess.KEPT);
        } catch (RuntimeException e) {
            crowds.forEach(CrowdProcess::close);
            throw e;
        }
    }

    /** Returns the number of crowds for so many connections of one server. */
    static int crowdsFor(int connections) {
        return Math.ceilDiv(connections, CrowdProcess.CONNECTIONS_MAX);
    }

    /** Waits until the server serves, and opens the connections for messages. */
    void awaitService() {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS_MAX);
        while (!greets()) {
            server.requireAlive();
            if (System.nanoTime() - end > 0) {
                throw new BenchException("no service on port " + port + ":\n" + server.logTail());
            }
            pause(POLL_MILLIS);
        }
        crowds.forEach(crowd -> crowd.keep(port, CrowdProcess.KEPT - (crowd == crowds.getFirst() ? 1 : 0)));
    }

    private boolean greets() {
        try {
            crowds.getFirst().keep(port, 1);
            return true;
        } catch (BenchException notYet) {
            return false;
        }
    }

    /** Opens resting connections until a part of all is open. */
    void fill(double part) {
        int target = (int) (connections * part);
        for (int i = 0; i < crowds.size(); i++) {
            int share = share(target, i) - share(opened, i);
            if (share > 0) {
                crowds.get(i).rest(port, share);
            }
        }
        opened = target;
    }

    private int share(int total, int crowd) {
        return total / crowds.size() + (crowd < total % crowds.size() ? 1 : 0);
    }

    int opened() {
        return opened;
    }

    int resting() {
        return crowds.stream().mapToInt(CrowdProcess::resting).sum();
    }

    ManagedProcess server() {
        return server;
    }

    List<CrowdProcess> crowds() {
        return crowds;
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException("interrupted", e);
        }
    }

    @Override
    public void close() {
        server.close();
        crowds.forEach(CrowdProcess::close);
    }
}
