package dev.sluice.bench.echo.load;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.net.ConnectHandler;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.EventLoop;
import dev.sluice.net.EventLoopConfig;
import dev.sluice.net.TcpConnection;
import dev.sluice.net.loop.EventLoops;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Connections to an echo server with one message in flight on each, on one event loop. Every returned byte is compared
 * with the one sent. The public methods are called by one thread other than the loop's; everything else runs on the
 * loop's.
 */
final class EchoLoad implements AutoCloseable {
    private static final long CONNECT_MILLIS_MAX = 10_000;
    private static final long STEP_SECONDS_MAX = 60;

    private final EventLoop loop = EventLoops.start(EventLoopConfig.defaults().withName("load"));
    private final EchoPattern pattern = new EchoPattern();
    private final List<EchoCaller> callers = new ArrayList<>();
    private CompletableFuture<Void> step = new CompletableFuture<>();
    private boolean ending;
    /** The callers that the current step waits for. */
    private int busy;

    private long deadlineNanos;
    private long messages;

    private EchoLoad() {}

    static EchoLoad start() {
        return new EchoLoad();
    }

    /**
     * The work of a step.
     *
     * @param nanos its duration
     * @param messages messages echoed
     */
    record Work(long nanos, long messages) {}

    String describe() {
        return loop.backendReason();
    }

    /** Connects, and has one message echoed on each connection. */
    void prepare(int port, int connections, int messageBytes) {
        play(() -> {
            requireNone();
            ending = false;
            deadlineNanos = System.nanoTime();
            busy = connections;
            for (int i = 0; i < connections; i++) {
                connect(port, i, messageBytes);
            }
        });
    }

    /** Keeps one message in flight on each connection for a time. */
    Work go(long millis) {
        long before = System.nanoTime();
        play(() -> {
            messages = 0;
            busy = callers.size();
            deadlineNanos = before + TimeUnit.MILLISECONDS.toNanos(millis);
            callers.forEach(EchoCaller::call);
        });
        return new Work(System.nanoTime() - before, messages);
    }

    /** Ends the connections with a reset, so that no port stays in TIME_WAIT. */
    void finish() {
        play(() -> {
            ending = true;
            busy = callers.size();
            List.copyOf(callers).forEach(EchoCaller::abort);
        });
    }

    /** Ends the remains of a failed step without waiting. */
    void forget() {
        loop.execute(() -> {
            ending = true;
            List.copyOf(callers).forEach(EchoCaller::abort);
        });
    }

    @Override
    public void close() {
        loop.close();
        pattern.close();
    }

    EventLoop loop() {
        return loop;
    }

    EchoPattern pattern() {
        return pattern;
    }

    /** Handles an echoed message; returns whether the caller sends the next one. */
    boolean onEchoed() {
        messages++;
        if (System.nanoTime() - deadlineNanos < 0) {
            return true;
        }
        onCallerDone();
        return false;
    }

    void onClosed(EchoCaller caller) {
        callers.remove(caller);
        if (ending) {
            onCallerDone();
        } else {
            breakOff("the server ended a connection");
        }
    }

    void breakOff(String reason) {
        if (!ending) {
            step.completeExceptionally(new BenchException(reason));
        }
    }

    private void onCallerDone() {
        busy--;
        if (busy <= 0) {
            step.complete(null);
        }
    }

    private void requireNone() {
        if (!callers.isEmpty()) {
            throw new BenchException("connections remain from an earlier step, connections=" + callers.size());
        }
    }

    private void connect(int port, int number, int messageBytes) {
        InetSocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        loop.connect(server, CONNECT_MILLIS_MAX, new ConnectHandler() {
            @Override
            public void onConnected(TcpConnection connection) {
                EchoCaller caller = new EchoCaller(EchoLoad.this, connection, number, messageBytes);
                callers.add(caller);
                caller.begin();
            }

            @Override
            public void onConnectFailed(ConnectionFailure failure) {
                breakOff(failure.message());
            }
        });
    }

    /** Runs a task on the loop, and waits for the end of its step. */
    private void play(Runnable task) {
        CompletableFuture<Void> playing = new CompletableFuture<>();
        loop.execute(() -> {
            step = playing;
            try {
                task.run();
            } catch (RuntimeException e) {
                playing.completeExceptionally(e);
            }
        });
        try {
            playing.get(STEP_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new BenchException(String.valueOf(e.getMessage()), e);
        } catch (TimeoutException e) {
            throw new BenchException("not finished after " + STEP_SECONDS_MAX + " s, connections busy=" + busy, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException("interrupted", e);
        }
    }
}
