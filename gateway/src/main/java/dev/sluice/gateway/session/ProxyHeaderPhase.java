package dev.sluice.gateway.session;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.gateway.outcome.SessionEnd;
import dev.sluice.gateway.plainhttp.HttpBegin;
import dev.sluice.gateway.proxyprotocol.HeaderLength;
import dev.sluice.gateway.proxyprotocol.ProxyHeader;
import dev.sluice.gateway.proxyprotocol.ProxyProtocolException;
import dev.sluice.memory.Slab;
import dev.sluice.net.Connection;
import dev.sluice.net.Timer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The first phase behind a listener with {@code proxy-protocol.from}: until it is known for whom the connection is. A
 * proxy starts with a PROXY header, anybody else with a ClientHello, or a request where the listener redirects. Its
 * successor is the {@link IdentifiedPhase}.
 */
final class ProxyHeaderPhase implements OpeningPhase {
    private final Session session;
    private final boolean fromProxy;
    private byte[] header = {};
    private @Nullable Timer timer;

    /**
     * Creates a proxy header phase.
     *
     * @param fromProxy true when the connection comes from one of the proxies
     */
    ProxyHeaderPhase(Session session, boolean fromProxy) {
        this.session = session;
        this.fromProxy = fromProxy;
    }

    @Override
    public Session session() {
        return session;
    }

    @Override
    public void begin() {
        timer = session.abortWhenSilent();
        session.socket().startReceiving();
    }

    @Override
    public void onReceived(Connection connection, Slab buffer) {
        if (fromProxy) {
            takeHeader(buffer);
        } else if (HeaderLength.mayBegin(RawMemory.getByte(buffer.payloadAddress()))
                && HttpBegin.of(buffer.payloadAddress(), buffer.length()) != HttpBegin.YES) {
            buffer.release();
            refuse(SessionEnd.UNTRUSTED_PROXY);
        } else {
            awaitHello(buffer);
        }
    }

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
            refuse(SessionEnd.malformedHeader(malformed));
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
        session.proxied(read);
        SessionEnd refusal = refusal(read.source());
        if (refusal == null) {
            session.countedByAddress();
            awaitHello(rest);
        } else {
            rest.release();
            refuse(refusal);
        }
    }

    /**
     * Returns why the client is refused; null when it is not.
     *
     * @param named the client that the header names; null: the proxy connects for itself, and has been let in
     */
    private @Nullable SessionEnd refusal(@Nullable InetSocketAddress named) {
        if (named != null && !session.listener().acceptPolicy().addresses().admits(named.getAddress())) {
            return SessionEnd.ADDRESS_DENIED;
        }
        return session.loop().admit(session.peer().getAddress());
    }

    /**
     * Enters the next phase.
     *
     * @param first the bytes behind the header, perhaps none
     */
    private void awaitHello(Slab first) {
        cancelTimer();
        IdentifiedPhase successor = session.listener().firstPhase(session);
        session.enter(successor);
        if (first.length() > 0) {
            session.socket().stopReceiving();
            successor.take(first);
        } else {
            first.release();
            successor.begin();
        }
    }

    private void refuse(SessionEnd why) {
        giveBack();
        session.refuse(why);
    }

    @Override
    public void release(SessionEnd end) {
        giveBack();
        session.countFailedHandshake(end);
    }

    private void giveBack() {
        cancelTimer();
        session.listener().release();
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
