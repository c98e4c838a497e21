package dev.sluice.cli.transfer;

import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.ChannelSocket;
import dev.sluice.transfer.channel.SecureChannel;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/** A loop that awaits connections, and authenticates and uses each on a thread of its own. */
final class AcceptLoop {
    /** The most connections at a time, so that strangers cannot take all memory. */
    private static final int CONNECTIONS_MAX = 256;

    private static final Duration POLL = Duration.ofMillis(100);

    /** The use of connections. */
    interface Handler {
        /** Uses a channel until its end, and closes it. */
        void use(SecureChannel channel, String peer);

        /** Reports a connection whose peer proved nothing. */
        void refused(ChannelException cause);
    }

    private final Meeting meeting;
    private final Proof proof;
    private final Handler handler;
    private final Semaphore room = new Semaphore(CONNECTIONS_MAX);
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private volatile boolean ended;

    AcceptLoop(Meeting meeting, Proof proof, Handler handler) {
        this.meeting = meeting;
        this.proof = proof;
        this.handler = handler;
    }

    /** Runs until {@link #end}, and until all streams have ended. */
    void run() throws IOException {
        try {
            while (!ended) {
                room.acquireUninterruptibly();
                ChannelSocket socket = meeting.next(POLL);
                if (socket == null) {
                    room.release();
                } else {
                    start(socket);
                }
            }
        } finally {
            joinAll();
        }
    }

    private void start(ChannelSocket socket) {
        Thread thread = Thread.ofPlatform().name("sluice-stream").unstarted(() -> {
            try {
                serve(socket);
            } finally {
                room.release();
                threads.remove(Thread.currentThread());
            }
        });
        threads.add(thread);
        thread.start();
    }

    private void serve(ChannelSocket socket) {
        SecureChannel channel;
        try {
            channel = proof.open(socket);
        } catch (ChannelException e) {
            handler.refused(e);
            return;
        }
        handler.use(channel, proof.nameOf(channel));
    }

    private void joinAll() {
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the loop soon, from any thread. */
    void end() {
        ended = true;
    }
}
