package dev.sluice.net.internal;

import dev.sluice.ffi.libc.Errno;
import dev.sluice.memory.fault.FaultPoint;
import dev.sluice.net.AcceptHandler;
import dev.sluice.net.Listener;
import dev.sluice.net.ListenerOptions;
import dev.sluice.net.LoopStatistics.Counter;
import dev.sluice.net.Timer;
import java.net.SocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A listening socket on either transport. After a failure it rests, so that a lasting one cannot make the loop spin.
 */
final class StreamListener extends Endpoint implements Listener {
    private final Loop loop;
    private final SocketAddress address;
    private final ListenerOptions options;
    private final AcceptHandler handler;
    private @Nullable Timer pause;
    /** True while the transport accepts. */
    private boolean accepting;

    private @Nullable Runnable whenResting;

    StreamListener(Loop loop, SocketAddress address, ListenerOptions options, AcceptHandler handler) {
        this.loop = loop;
        this.address = address;
        this.options = options;
        this.handler = handler;
    }

    @Override
    public SocketAddress address() {
        return address;
    }

    void start() {
        pause = null;
        accepting = true;
        try {
            loop.transport().accept(this);
        } catch (Throwable t) {
            accepting = false;
            onThrown(t);
        }
    }

    /** Rests, and tries again: a listener that accepts nobody is the end of the service. */
    @Override
    void onThrown(Throwable thrown) {
        loop.report("accept", thrown);
        if (!accepting && pause == null && !detaching) {
            pause = loop.schedule(options.acceptPauseMillis(), this::start);
        }
    }

    @Override
    void onAccepted(int result, @Nullable SocketAddress peer) {
        if (result >= 0) {
            take(result, peer);
            return;
        }
        accepting = false;
        if (whenResting != null) {
            loop.execute(whenResting);
            return;
        }
        if (result == -Errno.ECANCELED) {
            start();
            return;
        }
        failed(result);
        if (result == -Errno.ECONNABORTED) {
            start();
        } else {
            pause = loop.schedule(options.acceptPauseMillis(), this::start);
        }
    }

    private void take(int fd, @Nullable SocketAddress peer) {
        if (peer == null) {
            loop.sockets().close(fd);
            failed(-Errno.ECONNABORTED);
            return;
        }
        StreamConnection connection = StreamConnection.accepted(loop, peer);
        int attached = attach(connection, fd);
        if (attached < 0) {
            failed(attached);
            return;
        }
        loop.statistics().increment(Counter.ACCEPTED);
        tell(connection, peer);
    }

    private int attach(StreamConnection connection, int fd) {
        try {
            return loop.transport().attach(connection, fd);
        } catch (Throwable t) {
            loop.report("accept", t);
            loop.sockets().close(fd);
            return -Errno.ENOMEM;
        }
    }

    private void tell(StreamConnection connection, SocketAddress peer) {
        try {
            FaultPoint.HANDLER.reach();
            handler.onAccepted(connection, peer);
        } catch (Throwable t) {
            loop.report("onAccepted", t);
            connection.abort();
        }
        connection.requireHandler("onAccepted");
    }

    private void failed(int errno) {
        loop.statistics().increment(Counter.ACCEPT_FAILURES);
        try {
            handler.onAcceptFailed(Failures.ofAccept(errno, address));
        } catch (Throwable t) {
            loop.report("onAcceptFailed", t);
        }
    }

    @Override
    public void keepAlive(Duration idle) {
        loop.sockets().keepAlive(fd, idle);
    }

    @Override
    public int descriptor() {
        return fd;
    }

    @Override
    public void lookAgain() {
        if (accepting && whenResting == null) {
            // Accepting begins again with what waits.
            loop.transport().cancelAccept(this);
        }
    }

    @Override
    public void rest(Runnable then) {
        whenResting = then;
        if (pause != null) {
            pause.cancel();
        }
        if (accepting) {
            loop.transport().cancelAccept(this);
        } else {
            loop.execute(then);
        }
    }

    @Override
    public void close() {
        if (pause != null) {
            pause.cancel();
        }
        loop.transport().detach(this, false);
    }

    @Override
    boolean closesAtOnce() {
        return true;
    }

    @Override
    void onDetached() {
        // Nothing is left to tell: a listener has no end that its owner waits for.
    }

    @Override
    void onLoopClosing() {
        close();
    }

    @Override
    public String toString() {
        return "listener on " + address;
    }
}
