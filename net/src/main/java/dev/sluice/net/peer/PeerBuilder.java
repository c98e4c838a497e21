package dev.sluice.net.peer;

import dev.sluice.net.EventLoop;
import dev.sluice.net.EventLoopConfig;
import dev.sluice.net.UncaughtHandler;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The common builder of servers and clients: event loops, deadlines and limits. Not thread-safe.
 *
 * @param <B> the builder itself
 */
public abstract class PeerBuilder<B extends PeerBuilder<B>> {
    private String name;
    private int loops;
    private EventLoop.@Nullable Backend backend;
    private int buffersMax = EventLoopConfig.defaults().maxBuffers();
    private Duration handshakeDeadline = Duration.ofSeconds(10);
    private Duration idleDeadline;
    private Duration writeDeadline = Duration.ofSeconds(30);
    private Duration closeDeadline = Duration.ofSeconds(5);
    private Duration keepAlive = Duration.ofMinutes(2);
    private long highWaterBytes = PeerLimits.HIGH_WATER_BYTES;
    private long queuedBytesMax = PeerLimits.QUEUED_BYTES_MAX;
    private BackPressure backPressure;
    private UncaughtHandler uncaughtHandler = UncaughtHandler.TO_SYSTEM_LOGGER;

    /**
     * Creates a builder with defaults.
     *
     * @param loops the default number of loops
     * @param idleDeadline the default of {@link #idleDeadline(Duration)}
     */
    protected PeerBuilder(String name, int loops, Duration idleDeadline, BackPressure backPressure) {
        this.name = name;
        this.loops = loops;
        this.idleDeadline = idleDeadline;
        this.backPressure = backPressure;
    }

    /** Sets the name of the loops' threads, to which each loop's number is added. */
    public final B name(String threadName) {
        this.name = threadName;
        return self();
    }

    /** Sets the number of event loops, each of which is a thread. */
    public final B loops(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("loops=" + count + "; use at least 1");
        }
        this.loops = count;
        return self();
    }

    /** Requires a transport. By default, io_uring where the kernel permits it, else epoll. */
    public final B backend(EventLoop.Backend required) {
        this.backend = required;
        return self();
    }

    /** Sets the number of buffers that each loop leases at most. */
    public final B buffersMax(int count) {
        this.buffersMax = count;
        return self();
    }

    /** Sets the time that a handshake may take: by default 10 s. */
    public final B handshakeDeadline(Duration deadline) {
        this.handshakeDeadline = deadline;
        return self();
    }

    /** Closes connections without a byte in either direction for this long; zero disables it. */
    public final B idleDeadline(Duration deadline) {
        this.idleDeadline = deadline;
        return self();
    }

    /**
     * Aborts connections whose peer takes nothing for this long although more than the high-water mark is queued: by
     * default 30 s; zero disables it.
     */
    public final B writeDeadline(Duration deadline) {
        this.writeDeadline = deadline;
        return self();
    }

    /** Sets the time in which a closing connection sends what is queued, and awaits the peer's end: by default 5 s. */
    public final B closeDeadline(Duration deadline) {
        this.closeDeadline = deadline;
        return self();
    }

    /** Sets the silence after which the kernel asks whether a peer is still there: by default 2 min; zero: never. */
    public final B keepAlive(Duration idle) {
        this.keepAlive = idle;
        return self();
    }

    /** Sets the queued bytes above which a peer is not writable: by default 256 KiB. */
    public final B highWaterBytes(long bytes) {
        this.highWaterBytes = bytes;
        return self();
    }

    /** Sets the queued bytes that no write may exceed: by default 4 MiB. */
    public final B queuedBytesMax(long bytes) {
        this.queuedBytesMax = bytes;
        return self();
    }

    /** Sets the reaction to a peer that is not writable. */
    public final B backPressure(BackPressure reaction) {
        this.backPressure = reaction;
        return self();
    }

    /** Sets the handler of exceptions that handlers throw: by default, they are logged with their stack trace. */
    public final B uncaughtHandler(UncaughtHandler handler) {
        this.uncaughtHandler = handler;
        return self();
    }

    /** Returns the builder. */
    protected abstract B self();

    /** Returns the number of loops. */
    protected final int loopCount() {
        return loops;
    }

    /** Returns the limits of each connection. */
    protected final PeerLimits limits() {
        return new PeerLimits(
                handshakeDeadline,
                idleDeadline,
                writeDeadline,
                keepAlive,
                highWaterBytes,
                queuedBytesMax,
                backPressure);
    }

    /** Returns the settings of the loops, without a loop's number. */
    protected final EventLoopConfig loopConfig() {
        return EventLoopConfig.defaults()
                .withName(name)
                .withBackend(backend)
                .withMaxBuffers(buffersMax)
                .withCloseTimeoutMillis(closeDeadline.toMillis())
                .withUncaughtHandler(uncaughtHandler);
    }
}
