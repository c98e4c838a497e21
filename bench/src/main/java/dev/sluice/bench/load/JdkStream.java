package dev.sluice.bench.load;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/** The common part of plain and TLS streams over a channel: connecting, readiness, the end. */
abstract class JdkStream implements Stream {
    final SocketChannel channel;
    final SelectionKey key;
    final Handler handler;
    private boolean over;

    JdkStream(SocketChannel channel, SelectionKey key, Handler handler) {
        this.channel = channel;
        this.key = key;
        this.handler = handler;
    }

    /** Handles the connected socket. */
    abstract void onConnected() throws IOException;

    abstract void onReadable() throws IOException;

    abstract void onWritable() throws IOException;

    final void connect(SocketAddress address) {
        try {
            if (channel.connect(address)) {
                established();
            } else {
                key.interestOps(SelectionKey.OP_CONNECT);
            }
        } catch (IOException e) {
            fail(e.toString());
        }
    }

    final void onReady() {
        try {
            if (key.isConnectable()) {
                channel.finishConnect();
                established();
                return;
            }
            if (key.isWritable()) {
                onWritable();
            }
            if (key.isValid() && key.isReadable()) {
                onReadable();
            }
        } catch (IOException e) {
            fail(e.toString());
        }
    }

    /** Sets whether write readiness is reported. */
    final void wantWritable(boolean wanted) {
        if (key.isValid()) {
            key.interestOps(wanted ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
        }
    }

    /** Ends the connection cleanly. */
    final void end() {
        if (release()) {
            handler.onEnd(this);
        }
    }

    /** Ends the connection with a failure. */
    final void fail(String reason) {
        if (release()) {
            handler.onFailed(this, reason);
        }
    }

    final boolean isOver() {
        return over;
    }

    private void established() throws IOException {
        key.interestOps(SelectionKey.OP_READ);
        onConnected();
    }

    private boolean release() {
        if (over) {
            return false;
        }
        over = true;
        try {
            channel.close();
        } catch (IOException e) {
            // The socket is closed in either case.
            return true;
        }
        return true;
    }
}
