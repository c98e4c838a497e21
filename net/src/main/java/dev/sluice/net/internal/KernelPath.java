package dev.sluice.net.internal;

import dev.sluice.memory.Slab;
import dev.sluice.net.Connection;
import dev.sluice.net.internal.TlsStream.Phase;
import dev.sluice.tls.engine.EngineState;
import dev.sluice.tls.engine.EngineStatus;
import dev.sluice.tls.engine.KernelTls;
import java.util.Objects;

/**
 * The way of a connection's bytes whose records the kernel protects: what the socket receives and sends is plaintext,
 * and passes as it is.
 *
 * <pre>
 *   data received              delivered in its buffer
 *   alert, message received    the receive fails with EIO; {@link KernelTls} reads it with its type
 *   payload to be sent         sent from its buffer
 *   alert to be sent           by {@link KernelTls}, when all before it has left
 * </pre>
 */
final class KernelPath extends TlsPath {
    /** The time to the next try of an alert for which the socket had no room. No event tells of room for it. */
    private static final long RETRY_MILLIS = 10;

    /** The phases of the peer's direction. */
    private enum Input {
        OPEN,
        /** The peer's close_notify was read, or what came was refused. */
        CLOSED
    }

    private final KernelTls kernel;
    private Input input = Input.OPEN;
    private boolean finishScheduled;

    /**
     * Creates a path.
     *
     * @param kernel owned by the path from now on
     */
    KernelPath(TlsStream stream, StreamConnection tcp, KernelTls kernel) {
        super(stream, tcp);
        this.kernel = kernel;
    }

    // --- what the stream asks ---------------------------------------------------------------------------------------

    @Override
    void startReceiving() {
        if (input == Input.OPEN) {
            tcp.startReceiving();
        }
    }

    @Override
    void stopReceiving() {
        tcp.stopReceiving();
    }

    @Override
    void send(Slab buffer) {
        if (kernel.sending(buffer.length()) == EngineStatus.DONE) {
            tcp.send(buffer);
        } else {
            buffer.release();
            scheduleFinish(); // the failure is reported in a later turn
        }
    }

    @Override
    long queuedBytes() {
        return tcp.queuedBytes();
    }

    @Override
    void shutdownOutput() {
        scheduleFinish();
    }

    @Override
    void close() {
        scheduleFinish();
    }

    @Override
    void release() {
        kernel.close();
    }

    // --- alerts -----------------------------------------------------------------------------------------------------

    private void scheduleFinish() {
        if (!finishScheduled) {
            finishScheduled = true;
            stream.loop().execute(this::finish);
        }
    }

    /** Sends the alert that is due, and does what follows it. */
    private void finish() {
        finishScheduled = false;
        try {
            sendAlerts();
        } catch (Throwable t) {
            stream.threw("an alert by the kernel", t);
        }
    }

    private void sendAlerts() {
        if (stream.phase().compareTo(Phase.ENDING) >= 0) {
            return;
        }
        boolean failed = kernel.state() == EngineState.FAILED;
        if (failed && stream.phase() != Phase.FAILING) {
            stream.failed(Objects.requireNonNull(kernel.failure()));
        }
        if (tcp.queuedBytes() > 0) {
            return; // onSent comes back
        }
        int status = failed || output == Output.OPEN ? kernel.sendOwed() : kernel.closeOutput();
        if (status == EngineStatus.WANT_WRITE) {
            finishScheduled = true;
            stream.loop().schedule(RETRY_MILLIS, this::finish);
        } else {
            allSent(input == Input.CLOSED);
        }
    }

    // --- what the socket tells --------------------------------------------------------------------------------------

    @Override
    public void onReceived(Connection connection, Slab buffer) {
        if (stream.phase() != Phase.OPEN || input == Input.CLOSED) {
            buffer.release();
        } else if (kernel.received() == EngineStatus.DONE) {
            stream.deliver(buffer);
        } else {
            buffer.release();
            failed();
        }
    }

    @Override
    boolean onReceiveFailed(int errno) {
        if (!KernelTls.concernsRecord(errno)) {
            return false;
        }
        int status = kernel.receiveFailed(errno);
        if (stream.phase() == Phase.OPEN && input == Input.OPEN) {
            switch (status) {
                case EngineStatus.CLOSED -> peerClosed();
                case EngineStatus.FAILED -> failed();
                default -> {
                    if (kernel.owes()) {
                        scheduleFinish();
                    }
                }
            }
        }
        return true;
    }

    private void peerClosed() {
        input = Input.CLOSED;
        tcp.stopReceiving();
        stream.deliverEnd();
        if (output == Output.SHUT) {
            stream.end();
        }
    }

    private void failed() {
        input = Input.CLOSED;
        tcp.stopReceiving();
        stream.failed(Objects.requireNonNull(kernel.failure()));
        scheduleFinish();
    }

    @Override
    public void onEndOfStream(Connection connection) {
        if (stream.phase() == Phase.OPEN && input == Input.OPEN) {
            kernel.truncated();
            failed();
        }
    }

    @Override
    void onPeerEnded() {
        onEndOfStream(tcp);
    }

    @Override
    public void onSent(Connection connection) {
        boolean due = output == Output.ENDING || kernel.owes() || stream.phase() == Phase.FAILING;
        if (tcp.queuedBytes() > 0) {
            due = kernel.sending(0) == EngineStatus.FAILED; // a short send has ended a record
        }
        if (due) {
            scheduleFinish();
        }
        stream.deliverSent();
    }
}
