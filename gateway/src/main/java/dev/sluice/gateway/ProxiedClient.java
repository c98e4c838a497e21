package dev.sluice.gateway;

import dev.sluice.ffi.RawMemory;
import dev.sluice.gateway.proxyprotocol.HeaderLength;
import dev.sluice.gateway.proxyprotocol.ProxyHeader;
import dev.sluice.gateway.proxyprotocol.ProxyProtocolException;
import dev.sluice.memory.Slab;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.ConnectionHandler;
import dev.sluice.net.TcpConnection;
import dev.sluice.net.Timer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a listener that has a proxy before it, until it is known for whom it is: then it is a {@link Newcomer}. One
 * that comes past the proxy must begin with a ClientHello, one of the proxy with a PROXY header. Confined to its loop.
 */
final class ProxiedClient implements ConnectionHandler {
    private final GatewayLoop loop;
    private final ServedListener listener;
    private final TcpConnection socket;
    private final Session session;
    private final boolean trusted;
    private byte[] header = {};
    private @Nullable Timer timer;

    /** @param trusted whether it comes from a proxy */
    ProxiedClient(GatewayLoop loop, ServedListener listener, TcpConnection socket, Session session, boolean trusted) {
        this.loop = loop;
        this.listener = listener;
        this.socket = socket;
        this.session = session;
        this.trusted = trusted;
        listener.waitingBegins();
    }

    /** Waits for the first bytes. */
    void start() {
        socket.handler(this);
        timer = loop.eventLoop().schedule(loop.limits().handshakeTimeout().toMillis(), this::timedOut);
        socket.startReceiving();
    }

    private void timedOut() {
        timer = null;
        session.abort(SessionEnd.silent(loop.limits().handshakeTimeout()));
    }

    @Override
    public void onReceived(Connection connection, Slab buffer) {
        if (trusted) {
            takeHeader(buffer);
        } else if (HeaderLength.mayBegin(RawMemory.getByte(buffer.payloadAddress()))) {
            buffer.release();
            session.refuse(SessionEnd.UNTRUSTED_PROXY);
        } else {
            goOn(buffer);
        }
    }

    // --- the header -------------------------------------------------------------------------------------------------

    private void takeHeader(Slab buffer) {
        int before = header.length;
        int taken = Math.min(buffer.length(), HeaderLength.BYTES_MAX - before);
        header = Arrays.copyOf(header, before + taken);
        RawMemory.copy(buffer.payloadAddress(), header, before, taken);
        int length;
        ProxyHeader read = null;
        try {
            length = HeaderLength.of(header, header.length);
            if (length != HeaderLength.UNKNOWN_YET && length <= header.length) {
                read = ProxyHeader.read(new ByteArrayInputStream(header, 0, length));
            }
        } catch (ProxyProtocolException malformed) {
            buffer.release();
            session.refuse(SessionEnd.malformedHeader(malformed));
            return;
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        if (read == null) {
            buffer.release(); // the rest of it comes
            return;
        }
        buffer.window(buffer.start() + length - before, buffer.end());
        identified(read, buffer);
    }

    private void identified(ProxyHeader read, Slab rest) {
        SessionEnd refusal = loop.identify(session, read);
        if (refusal != null) {
            rest.release();
            session.refuse(refusal);
        } else {
            goOn(rest);
        }
    }

    /** @param first of what comes behind the header, perhaps nothing */
    private void goOn(Slab first) {
        socket.stopReceiving();
        cancelTimer();
        Newcomer newcomer =
                new Newcomer(loop, listener, socket, session, session.peer().getAddress());
        listener.waitingEnds();
        if (first.length() > 0) {
            newcomer.start(first);
        } else {
            first.release();
            newcomer.start();
        }
    }

    // --- its end, before it is known for whom it is -----------------------------------------------------------------

    @Override
    public void onEndOfStream(Connection connection) {
        session.onNewcomerEnded();
    }

    @Override
    public void onFailed(Connection connection, ConnectionFailure failure) {
        session.onNewcomerFailed(failure);
    }

    @Override
    public void onClosed(Connection connection) {
        cancelTimer();
        listener.waitingEnds();
        session.onClosed(connection);
    }

    @Override
    public void onSent(Connection connection) {
        // Nothing is sent.
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
