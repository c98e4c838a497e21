package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.load.LoadProcess;
import dev.sluice.bench.process.ManagedProcess;
import dev.sluice.bench.process.Ports;
import dev.sluice.bench.process.Site;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The running servers, each in front of the load generator's backend. */
final class Fleet implements AutoCloseable {
    private static final long READY_POLL_NANOS = 20_000_000;
    private static final int START_SECONDS_MAX = 20;

    private final Site site;
    private final LoadProcess load;
    private final Map<Terminator, Member> members = new HashMap<>();

    Fleet(Site site, LoadProcess load) {
        this.site = site;
        this.load = load;
    }

    /** Returns a running server that has served its first connection; starts it if there is none, or if it has died. */
    Member running(Terminator terminator) {
        Member member = members.get(terminator);
        if (member == null || !member.process().alive()) {
            member = launch(terminator);
            members.put(terminator, member);
        }
        return member;
    }

    /** Starts a separate server and waits for its first connection. The caller closes it. */
    Member launch(Terminator terminator) {
        int port = Ports.free();
        ManagedProcess process = terminator.start(site, port, load.backendPort());
        try {
            awaitService(terminator, process, port);
        } catch (RuntimeException e) {
            process.close();
            throw e;
        }
        return new Member(process, port);
    }

    /** Waits until a server that listens is ready. */
    void awaitReady(Terminator terminator, Member member) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS_MAX);
        while (!member.process().logTail().contains(terminator.readyText())) {
            member.process().requireAlive();
            if (System.nanoTime() > deadline) {
                throw new BenchException(terminator.identity().name() + " is not ready after " + START_SECONDS_MAX
                        + " s:\n" + member.process().logTail());
            }
            LockSupport.parkNanos(READY_POLL_NANOS);
        }
    }

    private void awaitService(Terminator terminator, ManagedProcess process, int port) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS_MAX);
        while (!load.greet(port, terminator.tls())) {
            process.requireAlive();
            if (System.nanoTime() > deadline) {
                throw new BenchException(terminator.identity().name() + " does not serve port " + port + " after "
                        + START_SECONDS_MAX + " s:\n" + process.logTail());
            }
        }
    }

    @Override
    public void close() {
        members.values().forEach(Member::close);
    }

    /**
     * A running server.
     *
     * @param process its first process
     * @param port its port on 127.0.0.1
     */
    record Member(ManagedProcess process, int port) implements AutoCloseable {
        @Override
        public void close() {
            process.close();
        }
    }
}
