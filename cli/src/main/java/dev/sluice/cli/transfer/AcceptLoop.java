package dev.sluice.cli.transfer;

import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.ChannelSocket;
import dev.sluice.transfer.channel.SecureChannel;
import dev.sluice.transfer.meet.MeetException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** A loop that awaits connections, and authenticates and uses each on a thread of its own. */
final class AcceptLoop {
    /** The most connections at a time, so that strangers cannot take all memory. */
    private static final int CONNECTIONS_MAX = 256;

    private static final Duration POLL = Duration.ofMillis(100);

    /** The time after which a loop tries to accept again when this machine has no descriptor left. */
    private static final Duration PAUSE = Duration.ofMillis(500);

    /** The use of connections. */
    interface Handler {
        /**
         * Uses a channel until its end, and closes it.
         *
         * @throws ChannelException for {@link #failed}
         */
        void use(SecureChannel channel, String peer) throws ChannelException;

        /** Reports a channel that failed, unless {@link AcceptLoop#cancel} ended it. */
        void failed(String peer, ChannelException cause);

        /** Reports a connection whose peer proved nothing. */
        void refused(ChannelException cause);

        /** Reports that connections cannot be accepted; the loop tries again. */
        void blocked(MeetException cause);
    }

    /** The intake of connections. */
    private enum Intake {
        OPEN,
        /** The last attempt failed, and was reported. */
        BLOCKED
    }

    /** The life of the loop. */
    private enum State {
        RUNNING,
        /** Accepts nothing, and lets those that are authenticated come to their end. */
        ENDING,
        /** Accepts nothing, and has interrupted all. */
        CANCELLED
    }

    /** The life of a connection. */
    private enum Phase {
        /** Nobody knows who the peer is. */
        HANDSHAKE,
        IN_USE
    }

    private final HostMeeting meeting;
    private final Proof proof;
    private final Handler handler;
    private final Semaphore room = new Semaphore(CONNECTIONS_MAX);
    private final Map<ChannelSocket, Phase> connections = new ConcurrentHashMap<>();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private volatile State state = State.RUNNING;
    private Intake intake = Intake.OPEN;

    AcceptLoop(HostMeeting meeting, Proof proof, Handler handler) {
        this.meeting = meeting;
        this.proof = proof;
        this.handler = handler;
    }

    /** Runs until {@link #end} or {@link #cancel}, and until all streams have ended. */
    void run() throws InterruptedIOException {
        try {
            while (state == State.RUNNING) {
                room.acquireUninterruptibly();
                ChannelSocket socket = next();
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

    private @Nullable ChannelSocket next() throws InterruptedIOException {
        try {
            ChannelSocket socket = meeting.next(POLL);
            intake = Intake.OPEN;
            return socket;
        } catch (MeetException e) {
            if (intake == Intake.OPEN) {
                handler.blocked(e);
            }
            intake = Intake.BLOCKED;
            pause();
            return null;
        }
    }

    private static void pause() throws InterruptedIOException {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while nothing could be accepted");
        }
    }

    private void start(ChannelSocket socket) {
        connections.put(socket, Phase.HANDSHAKE);
        Thread thread = Thread.ofPlatform().name("sluice-stream").unstarted(() -> {
            try {
                serve(socket);
            } finally {
                connections.remove(socket);
                room.release();
                threads.remove(Thread.currentThread());
            }
        });
        threads.add(thread);
        thread.start();
        interruptWhatIsOver();
    }

    private void serve(ChannelSocket socket) {
        SecureChannel channel;
        try {
            channel = proof.open(socket);
        } catch (ChannelException e) {
            if (state == State.RUNNING) {
                handler.refused(e);
            }
            return;
        }
        connections.put(socket, Phase.IN_USE);
        interruptWhatIsOver();
        String peer = proof.nameOf(channel);
        try {
            handler.use(channel, peer);
        } catch (ChannelException e) {
            if (state != State.CANCELLED) {
                handler.failed(peer, e);
            }
        }
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

    /** Ends the loop soon, from any thread; handshakes fail, channels in use come to their end. */
    synchronized void end() {
        if (state == State.RUNNING) {
            state = State.ENDING;
        }
        interruptWhatIsOver();
    }

    /** Ends the loop and all connections soon, from any thread. */
    synchronized void cancel() {
        state = State.CANCELLED;
        interruptWhatIsOver();
    }

    /** Each change of the state or of a connection's phase calls this afterwards, so none is missed. */
    private void interruptWhatIsOver() {
        State now = state;
        connections.forEach((socket, phase) -> {
            if (now == State.CANCELLED || (now == State.ENDING && phase == Phase.HANDSHAKE)) {
                socket.interrupt();
            }
        });
    }
}
