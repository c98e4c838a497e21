package dev.sluice.net;

import dev.sluice.net.loop.EventLoops;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A running loop with what tests need around it. */
final class LoopFixture implements AutoCloseable {
    static final long LIMIT_SECONDS = 60;
    static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    final EventLoop loop;
    final List<Throwable> uncaught = new CopyOnWriteArrayList<>();

    LoopFixture(EventLoopConfig config) {
        this.loop = EventLoops.start(config.withUncaughtHandler((loop, where, thrown) -> uncaught.add(thrown)));
    }

    /** Runs on the loop's thread and waits for the result. */
    <T extends @Nullable Object> T call(Supplier<T> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                result.complete(task.get());
            } catch (Throwable t) {
                result.completeExceptionally(t);
            }
        });
        return await(result);
    }

    void run(Runnable task) {
        call(() -> {
            task.run();
            return null;
        });
    }

    /** Listens on a port of the kernel's choice. */
    InetSocketAddress listen(AcceptHandler handler) {
        return (InetSocketAddress) call(() -> loop.listen(ANY_PORT, ListenerOptions.defaults(), handler))
                .address();
    }

    void connect(SocketAddress address, long timeoutMillis, ConnectHandler handler) {
        run(() -> loop.connect(address, timeoutMillis, handler));
    }

    static <T extends @Nullable Object> T await(CompletableFuture<T> future) {
        try {
            return future.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new AssertionError(e.getCause());
        } catch (TimeoutException | InterruptedException e) {
            throw new AssertionError("no outcome within " + LIMIT_SECONDS + " s", e);
        }
    }

    @Override
    public void close() {
        loop.close();
    }
}
