package dev.sluice.net;

import org.jspecify.annotations.Nullable;

/**
 * The settings of an event loop. Start from {@link #defaults()} and change what differs.
 *
 * @param name thread name
 * @param backend which backend must run; null: io_uring where the kernel grants it, else epoll
 * @param maxBuffers limit of receive buffers leased at once, 4 to 32,768
 * @param ringEntries size of the io_uring submission queue, a power of two
 * @param closeTimeoutMillis how long a closing connection may take to send what is queued
 * @param maxLateBuffers how many buffers may still be delivered after {@link Connection#stopReceiving()}
 * @param uncaughtHandler told what handlers, tasks and timers throw
 */
public record EventLoopConfig(
        String name,
        EventLoop.@Nullable Backend backend,
        int maxBuffers,
        int ringEntries,
        long closeTimeoutMillis,
        int maxLateBuffers,
        UncaughtHandler uncaughtHandler) {
    /** Least {@link #maxBuffers}: fewer cannot keep a receive and a send going. */
    public static final int LEAST_BUFFERS = 4;

    /** Most {@link #maxBuffers}: the kernel numbers provided buffers with 16 bits. */
    public static final int MOST_BUFFERS = 32_768;

    /** Most {@link #ringEntries}: the kernel's own limit. */
    public static final int MOST_RING_ENTRIES = 32_768;

    /** Checks the figures. */
    public EventLoopConfig {
        if (maxBuffers < LEAST_BUFFERS || maxBuffers > MOST_BUFFERS) {
            throw new IllegalArgumentException("maxBuffers=" + maxBuffers + " is outside " + LEAST_BUFFERS + " to "
                    + MOST_BUFFERS + "; each buffer has " + BufferGeometry.SLAB_BYTES + " bytes");
        }
        if (ringEntries < 2 || ringEntries > MOST_RING_ENTRIES || Integer.bitCount(ringEntries) != 1) {
            throw new IllegalArgumentException(
                    "ringEntries=" + ringEntries + " is not a power of two from 2 to " + MOST_RING_ENTRIES);
        }
        if (closeTimeoutMillis < 0) {
            throw new IllegalArgumentException("closeTimeoutMillis=" + closeTimeoutMillis + " is negative");
        }
        if (maxLateBuffers < 1) {
            throw new IllegalArgumentException("maxLateBuffers=" + maxLateBuffers
                    + " cannot be kept: one receive may be under way in the kernel; the least is 1");
        }
    }

    /** Returns the defaults: name {@code loop}, backend by probing, uncaught exceptions to the system logger. */
    public static EventLoopConfig defaults() {
        return new EventLoopConfig("loop", null, 4096, 256, 5_000, 1, UncaughtHandler.TO_SYSTEM_LOGGER);
    }

    /** Returns the same with another name. */
    public EventLoopConfig withName(String newName) {
        return new EventLoopConfig(
                newName, backend, maxBuffers, ringEntries, closeTimeoutMillis, maxLateBuffers, uncaughtHandler);
    }

    /** Returns the same with a backend that must run. */
    public EventLoopConfig withBackend(EventLoop.@Nullable Backend newBackend) {
        return new EventLoopConfig(
                name, newBackend, maxBuffers, ringEntries, closeTimeoutMillis, maxLateBuffers, uncaughtHandler);
    }

    /** Returns the same with another limit of receive buffers. */
    public EventLoopConfig withMaxBuffers(int newMaxBuffers) {
        return new EventLoopConfig(
                name, backend, newMaxBuffers, ringEntries, closeTimeoutMillis, maxLateBuffers, uncaughtHandler);
    }

    /** Returns the same with another size of the submission queue. */
    public EventLoopConfig withRingEntries(int newRingEntries) {
        return new EventLoopConfig(
                name, backend, maxBuffers, newRingEntries, closeTimeoutMillis, maxLateBuffers, uncaughtHandler);
    }

    /** Returns the same with another time for closing connections. */
    public EventLoopConfig withCloseTimeoutMillis(long newCloseTimeoutMillis) {
        return new EventLoopConfig(
                name, backend, maxBuffers, ringEntries, newCloseTimeoutMillis, maxLateBuffers, uncaughtHandler);
    }

    /** Returns the same with another hook for uncaught exceptions. */
    public EventLoopConfig withUncaughtHandler(UncaughtHandler newUncaughtHandler) {
        return new EventLoopConfig(
                name, backend, maxBuffers, ringEntries, closeTimeoutMillis, maxLateBuffers, newUncaughtHandler);
    }
}
