package dev.sluice.net.internal;

import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.Kernel;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.memory.SlabPool;
import dev.sluice.net.AcceptHandler;
import dev.sluice.net.ConnectHandler;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.EventLoop;
import dev.sluice.net.EventLoopConfig;
import dev.sluice.net.ListenException;
import dev.sluice.net.Listener;
import dev.sluice.net.ListenerOptions;
import dev.sluice.net.LoopStatistics;
import dev.sluice.net.LoopStatistics.Counter;
import dev.sluice.net.PendingConnect;
import dev.sluice.net.Timer;
import dev.sluice.net.TurnWatcher;
import dev.sluice.tls.engine.LoopCrypto;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** An event loop: its thread, its turn, and the start and end of its life. */
public final class Loop implements EventLoop {
    private static final int MAX_TASKS_PER_TURN = 1024;
    private static final long CLOSING_POLL_MILLIS = 100;
    private static final int FAILED_POLLS_MAX = 100;

    /** A connect that has failed before it began, whose handler is about to be told. */
    private static final PendingConnect NOT_BEGUN = () -> {};

    private final EventLoopConfig config;
    private final Kernel kernel;
    private final TaskQueue tasks;
    /** Tasks of the loop's own thread: an array, so that adding one allocates nothing. */
    private final ArrayDeque<Runnable> ownTasks = new ArrayDeque<>();

    private final ArrayDeque<Runnable> bufferWaiters = new ArrayDeque<>();
    private final LowPriorityTasks lowPriorityTasks = new LowPriorityTasks();
    private final Timers timers = new Timers();
    private final Grace grace = new Grace();
    private final Custody custody = new Custody();
    private final LoopStatistics statistics = new LoopStatistics();
    private final Thread thread;
    private final CompletableFuture<Void> started = new CompletableFuture<>();
    /** Native parts; set on the loop's thread before {@link #started} completes. */
    private @Nullable LoopResources resources;

    private boolean closing;
    /** Number of polls that have failed in a row. */
    private int failedPolls;

    private @Nullable TurnWatcher watcher;

    /**
     * Creates a loop.
     *
     * @param driver whose thread the loop runs on; null: one of its own
     */
    private Loop(EventLoopConfig config, Kernel kernel, @Nullable Thread driver) {
        this.config = config;
        this.kernel = kernel;
        this.tasks = new TaskQueue(config.name());
        this.thread = driver != null ? driver : new Thread(this::run, config.name());
    }

    /** Starts a loop and waits until its backend is set up. */
    public static Loop start(EventLoopConfig config) {
        Loop loop = new Loop(config, new LibC(), null);
        loop.thread.setDaemon(true);
        loop.thread.start();
        try {
            loop.started.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                cause.addSuppressed(new IllegalStateException("event loop " + config.name() + " did not start"));
                throw cause;
            }
            throw e;
        }
        return loop;
    }

    /**
     * Makes a loop without a thread: the caller's is the loop's, runs its {@link #turn}s and {@link #end}s it. For
     * simulations.
     *
     * @param kernel what it runs on, owned by the loop from now on
     */
    public static Loop driven(EventLoopConfig config, Kernel kernel) {
        Loop loop = new Loop(config, kernel, Thread.currentThread());
        loop.open();
        return loop;
    }

    // --- the thread -------------------------------------------------------------------------------------------------

    private void run() {
        try {
            open();
        } catch (Throwable t) {
            tasks.refuseMore();
            started.completeExceptionally(t);
            return;
        }
        started.complete(null);
        try {
            while (!closing) {
                turn();
            }
        } catch (Throwable t) {
            report("the loop itself, which ends", t);
        } finally {
            end();
        }
    }

    private void open() {
        Failures.prepare();
        LoopResources opened = LoopResources.open(config, kernel, statistics);
        resources = opened;
        tasks.open(opened.transport());
    }

    /** Runs one round: waits for the kernel, and runs what follows. */
    public void turn() {
        TurnWatcher watching = watcher;
        boolean nothingToDo = isIdle() && lowPriorityTasks.isEmpty() && runnableBufferWaiters() == 0;
        int done = poll(nothingToDo ? millisToNextTimer() : 0);
        statistics.increment(Counter.TURNS);
        statistics.add(Counter.EVENTS, done);
        done += runTasks();
        runTimers();
        runBufferWaiters();
        if (lowPriorityTasks.isDue(done == 0)) {
            runLowPriorityTasks();
        }
        if (watching != null) {
            watching.turnEnds(done);
        }
    }

    /** Polls. One that fails is not the end of the loop, which has others to serve; so many in a row are. */
    private int poll(long timeoutMillis) {
        try {
            int done = transport().poll(timeoutMillis);
            failedPolls = 0;
            return done;
        } catch (RuntimeException | VirtualMachineError e) {
            if (++failedPolls == FAILED_POLLS_MAX) {
                throw e;
            }
            report("the transport", e);
            return 1; // what it has not come to waits in the next one
        }
    }

    private boolean isIdle() {
        return ownTasks.isEmpty() && tasks.isEmpty();
    }

    /** Runs tasks; returns how many. */
    private int runTasks() {
        tasks.beginRound();
        // A round's bound: tasks that add tasks must not keep the kernel waiting.
        int own = ownTasks.size();
        for (int left = own; left > 0; left--) {
            runGuarded("a task", ownTasks.poll());
        }
        Runnable task;
        int others = 0;
        for (; others < MAX_TASKS_PER_TURN && (task = tasks.poll()) != null; others++) {
            runGuarded("a task", task);
        }
        return own + others;
    }

    private void runLowPriorityTasks() {
        long begin = kernel.nanoTime();
        long visitNanos = lowPriorityTasks.visitNanos(begin);
        int left = LowPriorityTasks.TASKS_PER_VISIT;
        do {
            runGuarded("a low-priority task", lowPriorityTasks.poll());
        } while (--left > 0 && !lowPriorityTasks.isEmpty() && kernel.nanoTime() - begin < visitNanos);
        lowPriorityTasks.visited();
    }

    private void runBufferWaiters() {
        for (int left = runnableBufferWaiters(); left > 0; left--) {
            runGuarded("a wait for buffers", bufferWaiters.poll());
        }
    }

    private int runnableBufferWaiters() {
        return bufferWaiters.isEmpty()
                ? 0
                : Math.min(
                        bufferWaiters.size(), buffers().maxSlabs() - buffers().leasedCount());
    }

    private long millisToNextTimer() {
        long now = kernel.nanoTime();
        return Math.max(timers.millisToNext(now), timers.size() == 0 ? -1 : grace.millisLeft(now));
    }

    private void runTimers() {
        if (timers.size() > 0) {
            long now = kernel.nanoTime();
            if (grace.holds(timers.overdueNanos(now), now)) {
                return;
            }
            for (Runnable due = timers.pollDue(now); due != null; due = timers.pollDue(now)) {
                runGuarded("a timer", due);
            }
        }
    }

    private void runGuarded(String what, @Nullable Runnable task) {
        try {
            Objects.requireNonNull(task).run();
        } catch (Throwable t) {
            report(what, t);
        }
    }

    /** Detaches what is left and frees everything; after the last turn. */
    public void end() {
        closing = true;
        tasks.refuseMore();
        runGuarded("the end of the loop", () -> detachAll(transport()));
        tasks.forgetTransport();
        runGuarded("the end of the loop", own()::close);
    }

    private void detachAll(Transport transport) {
        transport.announceClosing();
        while (transport.attachedCount() > 0 || !isIdle()) {
            poll(isIdle() ? CLOSING_POLL_MILLIS : 0);
            runTasks();
        }
    }

    // --- for connections and listeners ------------------------------------------------------------------------------

    Transport transport() {
        return own().transport();
    }

    Sockets sockets() {
        return own().sockets();
    }

    LoopBuffers allBuffers() {
        return own().buffers();
    }

    Custody custody() {
        return custody;
    }

    EventLoopConfig config() {
        return config;
    }

    /** Runs a task in a turn in which a buffer is free. */
    void whenBuffersAreFree(Runnable task) {
        statistics.increment(Counter.BUFFER_SHORTAGES);
        bufferWaiters.add(task);
    }

    /** Reports what code that is not ours threw. */
    void report(String where, Throwable thrown) {
        statistics.increment(Counter.UNCAUGHT);
        config.uncaughtHandler().onUncaught(this, where, thrown);
    }

    void tellConnectFailed(ConnectHandler handler, ConnectionFailure failure) {
        try {
            handler.onConnectFailed(failure);
        } catch (Throwable t) {
            report("onConnectFailed", t);
        }
    }

    private LoopResources own() {
        return Objects.requireNonNull(resources);
    }

    // --- for users --------------------------------------------------------------------------------------------------

    @Override
    public String name() {
        return config.name();
    }

    @Override
    public Backend backend() {
        return own().transport().backend();
    }

    @Override
    public String backendReason() {
        return own().backendReason();
    }

    @Override
    public boolean inLoop() {
        return Thread.currentThread().equals(thread);
    }

    @Override
    public void execute(Runnable task) {
        if (inLoop()) {
            ownTasks.add(task);
        } else {
            tasks.add(task);
        }
    }

    @Override
    public void executeLowPriority(Runnable task) {
        requireInLoop("executeLowPriority");
        lowPriorityTasks.add(task);
    }

    @Override
    public Timer schedule(long delayMillis, Runnable task) {
        requireInLoop("schedule");
        return timers.add(kernel.nanoTime(), delayMillis, task);
    }

    @Override
    public void watchTurns(@Nullable TurnWatcher turnWatcher) {
        requireInLoop("watchTurns");
        watcher = turnWatcher;
        transport().watch(turnWatcher);
    }

    @Override
    public LoopStatistics statistics() {
        return statistics;
    }

    @Override
    public int leasedBuffers() {
        return own().leasedBuffers();
    }

    @Override
    public SlabPool buffers() {
        return own().buffers().ordinary();
    }

    @Override
    public LoopCrypto loopCrypto() {
        requireInLoop("loopCrypto");
        return own().loopCrypto();
    }

    @Override
    public Listener listen(SocketAddress address, ListenerOptions options, AcceptHandler handler) {
        requireInLoop("listen");
        if (closing) {
            throw new ListenException("cannot listen on " + address + ": the event loop " + name() + " is closing");
        }
        int fd = sockets().listen(address, options.backlog(), transport().socketFlags());
        return accept(fd, Objects.requireNonNullElse(sockets().localAddress(fd), address), options, handler);
    }

    @Override
    public Listener adopt(int descriptor, ListenerOptions options, AcceptHandler handler) {
        requireInLoop("adopt");
        SocketAddress address = sockets().adopt(descriptor, transport().socketFlags());
        return accept(descriptor, address, options, handler);
    }

    private Listener accept(int fd, SocketAddress address, ListenerOptions options, AcceptHandler handler) {
        StreamListener listener = new StreamListener(this, address, options, handler);
        int attached = transport().attach(listener, fd);
        if (attached < 0) {
            throw new ListenException("cannot listen on " + address + ": " + Errno.describe(attached));
        }
        listener.start();
        return listener;
    }

    @Override
    public PendingConnect connect(SocketAddress address, long timeoutMillis, ConnectHandler handler) {
        requireInLoop("connect");
        if (closing) {
            execute(() -> tellConnectFailed(handler, Failures.loopClosed(address)));
            return NOT_BEGUN;
        }
        StreamConnection connection = StreamConnection.toBeConnected(this, address, handler);
        ConnectionFailure failure = attachSocket(connection, address);
        if (failure != null) {
            statistics.increment(Counter.CONNECT_FAILURES);
            execute(() -> tellConnectFailed(handler, failure));
            return NOT_BEGUN;
        }
        connection.connect(timeoutMillis);
        return connection;
    }

    /** Gives a connection a socket of its own: null, or why it has none. */
    private @Nullable ConnectionFailure attachSocket(StreamConnection connection, SocketAddress address) {
        int fd = sockets().open(address, transport().socketFlags());
        try {
            int attached = fd < 0 ? fd : transport().attach(connection, fd);
            return attached < 0 ? Failures.ofConnect(attached, address) : null;
        } catch (Throwable t) {
            report("connect", t);
            sockets().close(fd);
            return Failures.internal(address, "connect");
        }
    }

    private void requireInLoop(String call) {
        if (!inLoop()) {
            throw new IllegalStateException(call + " belongs on the thread of the event loop " + name() + ", called on "
                    + Thread.currentThread().getName() + "; wrap it in execute()");
        }
    }

    @Override
    public void close() {
        if (thread.isAlive()) {
            requestEnd();
        }
        if (!inLoop()) {
            joinUninterruptibly();
        }
    }

    private void requestEnd() {
        try {
            execute(() -> closing = true);
        } catch (RejectedExecutionException e) {
            // It is ending already.
        }
    }

    private void joinUninterruptibly() {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
