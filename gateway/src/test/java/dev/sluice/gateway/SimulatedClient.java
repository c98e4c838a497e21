package dev.sluice.gateway;

import dev.sluice.ffi.libc.Errno;
import dev.sluice.simulator.Chance;
import dev.sluice.simulator.MemorySocket;
import dev.sluice.simulator.Peer;
import dev.sluice.tls.engine.DirectEngine;
import dev.sluice.tls.engine.EngineStatus;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * A {@link RecordSender} on a socket in memory. What it is told to do behind its handshake it does one by one, later,
 * whenever it has its turn; each of these may be as late as chance will have it.
 */
public final class SimulatedClient extends RecordSender implements Peer, AutoCloseable {
    private static final int PAUSE_STEPS_MAX = 200;
    private static final int PATIENCE_STEPS = 400;

    /** A plan for the client after its handshake, made by calling the client's methods. */
    public interface Plan {
        void of(SimulatedClient client) throws IOException;
    }

    /** One step of that. */
    private sealed interface Act {
        /** An act that sends bytes, with the count of those that are sent. */
        final class Send implements Act {
            private final byte[] bytes;
            private int sent;

            Send(byte[] bytes) {
                this.bytes = bytes;
            }

            @Override
            public String toString() {
                return "Send[" + sent + " of " + bytes.length + "]";
            }
        }

        record Read(boolean toTheEnd) implements Act {}

        record Await(int receivedBytes) implements Act {}

        record AwaitEnd() implements Act {}

        record Fin() implements Act {}

        record Reset() implements Act {}

        record Close() implements Act {}

        record FallSilent() implements Act {}
    }

    private final Chance chance;
    private final LongSupplier nanoTime;
    private final MemorySocket socket;
    private final Plan plan;
    /** True when the client sends all it is to send, however long that takes. */
    private final boolean patient;

    /** The number of handshake bytes after which the client leaves; negative when it stays. */
    private final int leavesAfter;

    private final Deque<Act> acts = new ArrayDeque<>();
    private int sentInHandshake;
    private int pause;
    /** The number of steps of the current act that had no effect. */
    private int patience;

    /** True when the last step had an effect, or may have one without anything new from the gateway. */
    private boolean moved;

    private boolean over;
    private boolean silent;
    private boolean finSeen;
    private boolean endSeen;
    private boolean clean;
    private long leftNanos = -1;

    public SimulatedClient(
            Chance chance,
            LongSupplier nanoTime,
            MemorySocket socket,
            DirectEngine engine,
            RecordClients shared,
            int leavesAfter,
            boolean patient,
            Plan plan) {
        super(engine, shared);
        this.chance = chance;
        this.nanoTime = nanoTime;
        this.socket = socket;
        this.leavesAfter = leavesAfter;
        this.patient = patient;
        this.plan = plan;
        this.pause = pauseSteps();
    }

    private int pauseSteps() {
        return chance.oneIn(2) ? 0 : chance.sized(1, PAUSE_STEPS_MAX);
    }

    // --- what it is to do -------------------------------------------------------------------------------------------

    @Override
    void flushSome(int bytes) {
        acts.add(new Act.Send(takeUnsent(bytes)));
    }

    @Override
    void read() {
        acts.add(new Act.Read(false));
    }

    @Override
    void readToTheEnd() {
        acts.add(new Act.Read(true));
    }

    /** Waits until so much plaintext has come. */
    public void await(int bytes) {
        acts.add(new Act.Await(bytes));
    }

    /** Waits until the other side has ended. */
    public void awaitEnd() {
        acts.add(new Act.AwaitEnd());
    }

    @Override
    void shutDown() {
        acts.add(new Act.Fin());
    }

    @Override
    void reset() {
        acts.add(new Act.Reset());
    }

    /** Closes: FIN, or RST where something is unread. */
    public void leave() {
        acts.add(new Act.Close());
    }

    /** Does nothing more, and reads nothing more. */
    public void fallSilent() {
        acts.add(new Act.FallSilent());
    }

    // --- what is known of it ----------------------------------------------------------------------------------------

    /** Returns the time at which it closed its socket, in simulated nanoseconds; negative when it has not. */
    public long leftNanos() {
        return leftNanos;
    }

    /**
     * Returns true when it has left in a way that the gateway can only see as a broken connection, whenever it looks.
     */
    public boolean hasReset() {
        return leftNanos >= 0 && socket.isBroken();
    }

    /** Returns true when it has closed its socket. */
    public boolean isOver() {
        return over;
    }

    /** The same, or that it has fallen silent. */
    public boolean isPassive() {
        return over || silent;
    }

    /** Returns true when it has met the clean end of the stream. */
    public boolean hasMetCleanEnd() {
        return clean;
    }

    /** Breaks the connection now, whatever it has to do yet. */
    public void breakOff() {
        if (!over) {
            over = true;
            socket.reset();
            leftNanos = nanoTime.getAsLong();
        }
    }

    // --- its turn ---------------------------------------------------------------------------------------------------

    @Override
    public boolean step() {
        if (over || silent) {
            return false;
        }
        if (pause > 0) {
            pause--;
            return true;
        }
        try {
            return isEstablished() ? act() : shakeHands();
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private boolean shakeHands() throws IOException {
        boolean moved = fill();
        int status = engine.handshake();
        collect();
        byte[] bytes = unsent.toByteArray();
        if (bytes.length > 0) {
            int count = write(bytes, 0, bytes.length);
            takeUnsent(count);
            sentInHandshake += count;
            moved |= count > 0;
        }
        if (leavesAfter >= 0 && sentInHandshake >= leavesAfter) {
            leaveHandshake();
            return true;
        }
        if (endSeen || status == EngineStatus.FAILED) {
            over();
            return true;
        }
        if (status == EngineStatus.DONE && unsent.size() == 0) {
            established();
            plan.of(this);
            return true;
        }
        return moved;
    }

    private void leaveHandshake() {
        if (chance.oneIn(2)) {
            breakOff();
        } else {
            over();
        }
    }

    private boolean act() {
        Act act = acts.peek();
        if (act == null) {
            over();
            return true;
        }
        boolean done = perform(act);
        if (done) {
            acts.remove();
            pause = pauseSteps();
            patience = 0;
        }
        return done || moved;
    }

    private boolean perform(Act act) {
        moved = false;
        return switch (act) {
            case Act.Send send -> send(send);
            case Act.Read read -> read(read.toTheEnd);
            case Act.Await await -> await(await);
            case Act.AwaitEnd() -> {
                moved = fill();
                yield openAll();
            }
            case Act.Fin() -> {
                socket.shutdownOutput();
                yield true;
            }
            case Act.Reset() -> {
                breakOff();
                yield true;
            }
            case Act.Close() -> {
                over();
                yield true;
            }
            case Act.FallSilent() -> {
                silent = true;
                yield true;
            }
        };
    }

    private boolean send(Act.Send act) {
        int left = act.bytes.length - act.sent;
        int count = left == 0 ? 0 : write(act.bytes, act.sent, chance.oneIn(2) ? left : chance.between(1, left));
        act.sent += count;
        // Where the gateway does not read, it goes on with the next after a while: the rest is never sent then.
        moved = count > 0 || (patient ? readMeanwhile() : ++patience <= PATIENCE_STEPS);
        return endSeen || act.sent == act.bytes.length || (!patient && !moved);
    }

    /** Else an echo could come no further, and so neither what it is the echo of. */
    private boolean readMeanwhile() {
        boolean more = fill();
        openAll();
        return more;
    }

    private boolean read(boolean toTheEnd) {
        boolean more = fill();
        boolean ended = openAll();
        moved = more || ++patience <= PATIENCE_STEPS;
        return !toTheEnd || ended || !moved;
    }

    private boolean await(Act.Await await) {
        moved = fill();
        return openAll() || received.size() >= await.receivedBytes;
    }

    private boolean openAll() {
        int status = open();
        if (status == EngineStatus.CLOSED || status == EngineStatus.FAILED) {
            endSeen = true;
            clean = status == EngineStatus.CLOSED;
        }
        return endSeen;
    }

    /** Closes the socket. Without close_notify before it, that is no clean end, or it is none of a handshake. */
    private void over() {
        over = true;
        socket.close();
        leftNanos = nanoTime.getAsLong();
    }

    // --- the socket -------------------------------------------------------------------------------------------------

    private int write(byte[] bytes, int from, int length) {
        int count = socket.write(bytes, from, length);
        if (count < 0 && count != -Errno.EAGAIN) {
            endSeen = true;
        }
        return Math.max(count, 0);
    }

    private boolean fill() {
        int capacity = finSeen ? 0 : engine.receiveCapacity();
        if (capacity == 0) {
            return false;
        }
        int count = socket.receive(engine.receiveAddress(), capacity);
        engine.received(Math.max(count, 0));
        if (count == 0) {
            finSeen = true;
            engine.receivedEndOfStream();
            endSeen |= !isEstablished();
        } else if (count < 0 && count != -Errno.EAGAIN) {
            endSeen = true;
        }
        return count >= 0;
    }

    /** Frees what it has; after the run. */
    @Override
    public void close() {
        breakOff();
        engine.close();
    }

    @Override
    public String toString() {
        return "client(" + (isEstablished() ? "acts left " + acts : "in its handshake") + ", received "
                + received.size() + (endSeen ? ", end seen" : "") + (over ? ", over" : "") + (silent ? ", silent" : "")
                + ")";
    }
}
