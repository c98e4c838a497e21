package dev.sluice.transfer.move;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A thread that sends PING on the streams of a session, as long as that runs. */
final class KeepAlive implements AutoCloseable {
    private final ReceiverSession session;
    private final Duration interval;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread;

    private KeepAlive(ReceiverSession session, Duration interval) {
        this.session = session;
        this.interval = interval;
        this.thread = Thread.ofPlatform().daemon().name("sluice-keepalive").unstarted(this::run);
    }

    static KeepAlive start(ReceiverSession session, Duration interval) {
        KeepAlive keepAlive = new KeepAlive(session, interval);
        keepAlive.thread.start();
        return keepAlive;
    }

    private void run() {
        try {
            while (!ended.await(interval.toNanos(), TimeUnit.NANOSECONDS)) {
                session.ping();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        ended.countDown();
        Sender.joinAll(List.of(thread));
    }
}
