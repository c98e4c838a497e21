package dev.sluice.net;

import org.jspecify.annotations.Nullable;

/**
 * How an event loop is made.
 *
 * @param name thread name
 * @param backend which backend must run; null: io_uring where the kernel grants it, else epoll
 * @param maxBuffers limit of receive buffers leased at once
 * @param ringEntries size of the io_uring submission queue, a power of two
 * @param closeTimeoutMillis how long a closing connection may take to send what is queued
 * @param maxLateBuffers how many buffers may still be delivered after {@link Connection#stopReceiving()}
 */
public record EventLoopConfig(
        String name,
        EventLoop.@Nullable Backend backend,
        int maxBuffers,
        int ringEntries,
        long closeTimeoutMillis,
        int maxLateBuffers) {
    /** What is right for most: name {@code loop}, backend by probing. */
    public static EventLoopConfig defaults() {
        return new EventLoopConfig("loop", null, 4096, 256, 5_000, 1);
    }

    /** The same with another name. */
    public EventLoopConfig withName(String newName) {
        return new EventLoopConfig(newName, backend, maxBuffers, ringEntries, closeTimeoutMillis, maxLateBuffers);
    }

    /** The same with a backend that must run. */
    public EventLoopConfig withBackend(EventLoop.@Nullable Backend newBackend) {
        return new EventLoopConfig(name, newBackend, maxBuffers, ringEntries, closeTimeoutMillis, maxLateBuffers);
    }
}
