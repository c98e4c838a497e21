package dev.sluice.net;

import dev.sluice.memory.Slab;
import dev.sluice.testkit.Waiting;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * A handler that writes down what it is told and complains when the order is not the one that {@link ConnectionHandler}
 * promises. Serves as the handler of one connection, accepted or connected.
 */
final class Recorder implements AcceptHandler, ConnectHandler, ConnectionHandler {
    private static final Duration LIMIT = Duration.ofSeconds(LoopFixture.LIMIT_SECONDS);

    final CompletableFuture<TcpConnection> made = new CompletableFuture<>();
    final CompletableFuture<ConnectionFailure> notMade = new CompletableFuture<>();
    final CompletableFuture<Void> ended = new CompletableFuture<>();
    final CompletableFuture<ConnectionFailure> failed = new CompletableFuture<>();
    final CompletableFuture<Void> closed = new CompletableFuture<>();
    final List<String> complaints = new CopyOnWriteArrayList<>();
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private final boolean receiveAtOnce;
    private Consumer<String> onEvent = event -> {};
    private boolean endSeen;
    private boolean failureSeen;
    private boolean closedSeen;

    Recorder() {
        this(true);
    }

    Recorder(boolean receiveAtOnce) {
        this.receiveAtOnce = receiveAtOnce;
    }

    /** Sets what runs inside of each callback, with the callback's name. */
    Recorder onEvent(Consumer<String> action) {
        onEvent = action;
        return this;
    }

    @Override
    public void onAccepted(TcpConnection connection, SocketAddress peer) {
        onConnected(connection);
    }

    @Override
    public void onAcceptFailed(ConnectionFailure failure) {
        notMade.complete(failure);
    }

    @Override
    public void onConnected(TcpConnection connection) {
        connection.handler(this);
        if (receiveAtOnce) {
            connection.startReceiving();
        }
        made.complete(connection);
    }

    @Override
    public void onConnectFailed(ConnectionFailure failure) {
        if (!notMade.complete(failure)) {
            complaints.add("a second outcome of a connect: " + failure);
        }
    }

    @Override
    public void onReceived(Connection connection, Slab buffer) {
        check(!endSeen && !failureSeen && !closedSeen, "onReceived after the end");
        byte[] bytes = new byte[buffer.length()];
        MemorySegment.copy(buffer.segment(), ValueLayout.JAVA_BYTE, buffer.start(), bytes, 0, bytes.length);
        synchronized (received) {
            received.writeBytes(bytes);
        }
        onEvent.accept("onReceived");
        buffer.release();
    }

    @Override
    public void onEndOfStream(Connection connection) {
        check(!endSeen && !failureSeen && !closedSeen, "a second onEndOfStream, or one after the end");
        endSeen = true;
        onEvent.accept("onEndOfStream");
        ended.complete(null);
    }

    @Override
    public void onSent(Connection connection) {
        check(!failureSeen && !closedSeen, "onSent after the end");
        onEvent.accept("onSent");
    }

    @Override
    public void onFailed(Connection connection, ConnectionFailure failure) {
        check(!failureSeen && !closedSeen, "a second onFailed, or one after onClosed");
        failureSeen = true;
        onEvent.accept("onFailed");
        failed.complete(failure);
    }

    @Override
    public void onClosed(Connection connection) {
        check(!closedSeen, "a second onClosed");
        closedSeen = true;
        closed.complete(null);
        onEvent.accept("onClosed");
    }

    byte[] received() {
        synchronized (received) {
            return received.toByteArray();
        }
    }

    /** Waits until as many bytes have come. */
    byte[] awaitReceived(int count) {
        Waiting.until(
                LIMIT, () -> received().length >= count, () -> received().length + " of " + count + " bytes came");
        return received();
    }

    private void check(boolean holds, String complaint) {
        if (!holds) {
            complaints.add(complaint);
        }
    }
}
