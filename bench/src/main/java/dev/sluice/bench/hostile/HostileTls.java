package dev.sluice.bench.hostile;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.tls.engine.DirectEngine;
import dev.sluice.tls.engine.EngineStatus;
import dev.sluice.tls.record.Alert;
import dev.sluice.tls.record.ConnectionKeys;
import dev.sluice.tls.record.ContentType;
import dev.sluice.tls.record.RecordChannel;
import dev.sluice.tls.record.RecordProtector;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A TLS connection of a client that completes a correct handshake and then seals arbitrary records correctly. Sealed
 * records wait for {@link #flush}, which sends them in one piece.
 */
final class HostileTls implements AutoCloseable {
    private static final int RECEIVE_BYTES = 16 * 1024;
    private static final byte WARNING = 1;

    private final HostileSocket socket;
    private final DirectEngine engine;
    private final HostileClients shared;
    private final ByteArrayOutputStream unsent = new ByteArrayOutputStream();
    private final byte[] incoming = new byte[RECEIVE_BYTES];
    private @Nullable RecordChannel channel;

    private HostileTls(HostileSocket socket, DirectEngine engine, HostileClients shared) {
        this.socket = socket;
        this.engine = engine;
        this.shared = shared;
    }

    /** Completes the handshake; owns socket and engine from now on. */
    static HostileTls over(HostileSocket socket, DirectEngine engine, HostileClients shared) throws IOException {
        HostileTls tls = new HostileTls(socket, engine, shared);
        try {
            tls.shakeHands();
            return tls;
        } catch (IOException | RuntimeException e) {
            tls.close();
            throw e;
        }
    }

    private void shakeHands() throws IOException {
        int status = engine.handshake();
        while (status != EngineStatus.DONE) {
            takeUnsent();
            flush();
            if (status == EngineStatus.FAILED || !receive()) {
                throw new IOException("no handshake: " + engine.failure());
            }
            status = engine.handshake();
        }
        takeUnsent();
        flush();
        channel = engine.channel();
        if (channel == null) {
            throw new IOException("the engine did not detach from libssl: " + engine.detached());
        }
    }

    private RecordChannel channel() {
        RecordChannel established = channel;
        if (established == null) {
            throw new IllegalStateException("no handshake yet");
        }
        return established;
    }

    /** Returns the connection underneath. */
    HostileSocket socket() {
        return socket;
    }

    /** Seals a record of any type and length. */
    void seal(int contentType, byte[] payload) {
        RecordProtector protector = shared.protector(channel().suite().aead());
        long keys = ConnectionKeys.sealing(channel().keys());
        long record = shared.scratchAddress();
        long at = record + channel().headroom();
        RawMemory.copy(payload, 0, at, payload.length);
        addUnsent(
                record,
                channel().suite().isTls13()
                        ? protector.seal(keys, at, payload.length, contentType)
                        : protector.seal12(keys, at, payload.length, contentType));
    }

    /** Seals application data. */
    void data(byte... payload) {
        seal(ContentType.APPLICATION_DATA, payload);
    }

    /** Seals a warning. */
    void warning(int description) {
        seal(ContentType.ALERT, new byte[] {WARNING, (byte) description});
    }

    /** Seals close_notify. */
    void closeNotify() {
        warning(Alert.CLOSE_NOTIFY);
    }

    /** Seals a KeyUpdate that requests another one, and switches to the next key. */
    void requestKeyUpdate() {
        channel().requestKeyUpdate();
        long address = shared.scratchAddress();
        addUnsent(address, channel().writeControl(address));
    }

    /** Removes and returns the waiting records. */
    byte[] takeSealed() {
        byte[] bytes = unsent.toByteArray();
        unsent.reset();
        return bytes;
    }

    /** Sends the waiting records. */
    void flush() throws IOException {
        if (unsent.size() > 0) {
            socket.send(takeSealed());
        }
    }

    /** Reads up to the gateway's close_notify or end. */
    void readToCloseNotify() throws IOException {
        long scratch = shared.scratchAddress();
        int status = engine.read(scratch, HostileClients.SCRATCH_BYTES);
        while (status > 0 || (status == EngineStatus.WANT_READ && receive())) {
            status = engine.read(scratch, HostileClients.SCRATCH_BYTES);
        }
        if (status != EngineStatus.CLOSED) {
            throw new IOException("no close_notify: " + engine.failure());
        }
    }

    /** Receives bytes; returns false at the end of the stream. */
    private boolean receive() throws IOException {
        int count = socket.read(incoming);
        for (int at = 0; at < count; ) {
            int length = Math.min(count - at, engine.receiveCapacity());
            RawMemory.copy(incoming, at, engine.receiveAddress(), length);
            engine.received(length);
            at += length;
        }
        return count > 0;
    }

    private void takeUnsent() {
        while (engine.sendLength() > 0) {
            int length = engine.sendLength();
            addUnsent(engine.sendAddress(), length);
            engine.sent(length);
        }
    }

    private void addUnsent(long address, int length) {
        byte[] bytes = new byte[length];
        RawMemory.copy(address, bytes, 0, length);
        unsent.writeBytes(bytes);
    }

    @Override
    public void close() throws IOException {
        try {
            socket.close();
        } finally {
            engine.close();
        }
    }
}
