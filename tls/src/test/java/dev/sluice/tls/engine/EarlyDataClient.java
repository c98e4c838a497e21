package dev.sluice.tls.engine;

import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL_ERROR_WANT_READ;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL_ERROR_ZERO_RETURN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.BioPair;
import dev.sluice.ffi.openssl.ErrorQueue;
import dev.sluice.ffi.openssl.Ssl;
import dev.sluice.ffi.openssl.raw.OpenSslConstants;
import dev.sluice.tls.Bytes;
import dev.sluice.tls.Peer;
import dev.sluice.tls.context.TlsContext;
import java.lang.foreign.Arena;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A client of libssl that sends early data, which our engines do not. */
final class EarlyDataClient implements Peer {
    private static final int RING_BYTES = 256 * 1024;
    private static final int ROOM = 64 * 1024;

    private final Arena arena = Arena.ofConfined();
    private final long room = arena.allocate(ROOM).address();
    private final BioPair pair = new BioPair(RING_BYTES);
    private final Ssl ssl;
    private byte[] offered = {};
    private boolean established;
    private boolean closed;
    private String failure = "";

    EarlyDataClient(TlsContext context, String host, @Nullable TlsSession session) {
        this.ssl = Ssl.client(context.handle());
        new ClientTarget(host, session).applyTo(ssl, context.settings());
        ssl.attach(pair);
    }

    /** Sends the ClientHello, if not yet sent, and early data after it. */
    void writeEarly(byte[] plaintext) {
        RawMemory.copy(plaintext, 0, room, plaintext.length);
        assertThat(ssl.writeEarlyData(room, plaintext.length))
                .as("early data written: " + ErrorQueue.drain())
                .isEqualTo(plaintext.length);
    }

    /** Returns whether the server accepted the early data. */
    boolean isEarlyDataAccepted() {
        return ssl.earlyDataStatus() == OpenSslConstants.SSL_EARLY_DATA_ACCEPTED;
    }

    boolean isResumed() {
        return ssl.isResumed();
    }

    @Override
    public void handshake() {
        feed();
        int returned = established ? 1 : ssl.handshake();
        established = returned == 1;
        if (!established && ssl.error(returned) != SSL_ERROR_WANT_READ) {
            failure = String.valueOf(ErrorQueue.drain());
        }
    }

    @Override
    public boolean isEstablished() {
        return established;
    }

    @Override
    public String failure() {
        return failure;
    }

    @Override
    public void write(byte[] plaintext) {
        for (int at = 0; at < plaintext.length; ) {
            int count = Math.min(ROOM, plaintext.length - at);
            RawMemory.copy(plaintext, at, room, count);
            int written = ssl.write(room, count);
            assertThat(written).as("the ring is full").isPositive();
            at += written;
        }
    }

    @Override
    public byte[] read() {
        byte[] all = {};
        do {
            for (int count = ssl.read(room, ROOM); ; count = ssl.read(room, ROOM)) {
                if (count <= 0) {
                    stopped(count);
                    break;
                }
                byte[] part = new byte[count];
                RawMemory.copy(room, part, 0, count);
                all = Bytes.join(all, part);
            }
        } while (feed());
        return all;
    }

    private void stopped(int returned) {
        int error = ssl.error(returned);
        closed |= error == SSL_ERROR_ZERO_RETURN;
        if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_ZERO_RETURN) {
            failure = String.valueOf(ErrorQueue.drain());
        }
    }

    @Override
    public boolean sawCloseNotify() {
        return closed;
    }

    @Override
    public void closeOutput() {
        ssl.shutdown();
    }

    @Override
    public byte[] takeOutput() {
        byte[] all = {};
        for (int length = pair.sendLength(); length > 0; length = pair.sendLength()) {
            byte[] part = new byte[length];
            RawMemory.copy(pair.sendAddress(), part, 0, length);
            pair.sent(length);
            all = Bytes.join(all, part);
        }
        return all;
    }

    @Override
    public void offer(byte[] bytes) {
        offered = Bytes.join(offered, bytes);
        feed();
    }

    private boolean feed() {
        int taken = 0;
        for (int room = pair.receiveCapacity(); room > 0 && taken < offered.length; room = pair.receiveCapacity()) {
            int count = Math.min(room, offered.length - taken);
            RawMemory.copy(offered, taken, pair.receiveAddress(), count);
            pair.received(count);
            taken += count;
        }
        offered = Arrays.copyOfRange(offered, taken, offered.length);
        return taken > 0;
    }

    @Override
    public void endOfStream() {
        pair.endOfStream();
    }

    @Override
    public void close() {
        ssl.close();
        pair.close();
        arena.close();
    }
}
