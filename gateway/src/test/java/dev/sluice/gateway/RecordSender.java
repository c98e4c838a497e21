package dev.sluice.gateway;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.tls.engine.DirectEngine;
import dev.sluice.tls.failure.EndReason;
import dev.sluice.tls.failure.TlsFailure;
import dev.sluice.tls.record.Alert;
import dev.sluice.tls.record.ConnectionKeys;
import dev.sluice.tls.record.ContentType;
import dev.sluice.tls.record.RecordChannel;
import dev.sluice.tls.record.RecordProtector;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A TLS client that completes an honest handshake, and then sends any record that it is told to, well protected. What
 * is sealed waits until {@link #flush}.
 */
abstract class RecordSender {
    private static final Set<EndReason> ALLOWED = EnumSet.of(EndReason.TRUNCATED, EndReason.FLOOD);

    final DirectEngine engine;
    /** The bytes that wait to be sent. */
    final ByteArrayOutputStream unsent = new ByteArrayOutputStream();
    /** All plaintext that has come. */
    final ByteArrayOutputStream received = new ByteArrayOutputStream();

    private final RecordClients shared;
    private @Nullable RecordChannel channel;
    private boolean saidGoodbye;

    /**
     * Creates a record sender.
     *
     * @param engine the client's from now on
     */
    RecordSender(DirectEngine engine, RecordClients shared) {
        this.engine = engine;
        this.shared = shared;
    }

    /** The handshake is complete: from now on records can be sealed. */
    final void established() throws IOException {
        channel = engine.channel();
        if (channel == null) {
            throw new IOException("the client's engine did not detach from libssl: " + engine.detached());
        }
    }

    /** Returns true when close_notify was sealed, in whatever state. */
    public final boolean hasSaidGoodbye() {
        return saidGoodbye;
    }

    final boolean isEstablished() {
        return channel != null;
    }

    private RecordChannel channel() {
        RecordChannel established = channel;
        if (established == null) {
            throw new IllegalStateException("no handshake yet");
        }
        return established;
    }

    final boolean isTls13() {
        return channel().suite().isTls13();
    }

    // --- what is sent -----------------------------------------------------------------------------------------------

    /** Seals a record of any type, of any length that its header can tell. */
    public final void seal(int contentType, byte[] payload) {
        saidGoodbye |= contentType == ContentType.ALERT && payload.length == 2 && payload[1] == Alert.CLOSE_NOTIFY;
        MemorySegment scratch = shared.scratch();
        RecordProtector protector = shared.protector(channel().suite().aead());
        long keys = ConnectionKeys.sealing(channel().keys());
        long at = scratch.address() + channel().headroom();
        RawMemory.copy(payload, 0, at, payload.length);
        int bytes = isTls13()
                ? protector.seal(keys, at, payload.length, contentType)
                : protector.seal12(keys, at, payload.length, contentType);
        addUnsent(scratch.address(), bytes);
    }

    /** Seals a TLS 1.3 record with zeros behind its type. */
    final void sealPadded(int contentType, byte[] payload, int zeros) {
        byte[] inner = Arrays.copyOf(payload, payload.length + 1 + zeros);
        inner[payload.length] = (byte) contentType;
        // The last zero stands where the type does, so that the one before the zeros is it.
        seal(0, inner);
    }

    /** Seals a KeyUpdate, and what follows under the next key. Without effect in TLS 1.2. */
    final void updateKey(boolean requestingTheSame) {
        if (requestingTheSame) {
            channel().requestKeyUpdate();
        } else {
            channel().updateKey();
        }
        long address = shared.scratch().address();
        addUnsent(address, channel().writeControl(address));
    }

    /** Sends bytes as they are, such as a record that is not protected. */
    final void raw(byte[] bytes) {
        unsent.writeBytes(bytes);
    }

    /** Changes a bit of what waits to be sent; where nothing waits, seals a record first. */
    final void flipBit(int bit) {
        if (unsent.size() == 0) {
            seal(ContentType.APPLICATION_DATA, new byte[] {1});
        }
        byte[] bytes = unsent.toByteArray();
        bytes[bit / Byte.SIZE % bytes.length] ^= (byte) (1 << (bit % Byte.SIZE));
        unsent.reset();
        unsent.writeBytes(bytes);
    }

    /** Sends what waits, in one piece where the socket takes it so. */
    public final void flush() {
        flushSome(unsent.size());
    }

    /** Takes what the engine has to send, behind what waits. */
    final void collect() {
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

    /** Takes bytes off what waits. */
    final byte[] takeUnsent(int count) {
        byte[] bytes = unsent.toByteArray();
        int taken = Math.min(count, bytes.length);
        unsent.reset();
        unsent.write(bytes, taken, bytes.length - taken);
        return Arrays.copyOf(bytes, taken);
    }

    /** Opens what was received: the last status of the engine. What the engine answers waits to be sent. */
    final int open() {
        MemorySegment scratch = shared.scratch();
        int status = engine.read(scratch.address(), RecordClients.SCRATCH_BYTES);
        while (status > 0) {
            byte[] bytes = new byte[status];
            RawMemory.copy(scratch.address(), bytes, 0, status);
            received.writeBytes(bytes);
            collect();
            status = engine.read(scratch.address(), RecordClients.SCRATCH_BYTES);
        }
        collect();
        return status;
    }

    /** Sends some of what waits. */
    abstract void flushSome(int bytes);

    /** Reads and opens what has come. */
    abstract void read();

    /** Reads until the other side has ended, or for a while. */
    abstract void readToTheEnd();

    /** Sends FIN. */
    abstract void shutDown() throws IOException;

    /** Closes by RST. */
    abstract void reset() throws IOException;

    /** All plaintext that has come. */
    public final byte[] received() {
        return received.toByteArray();
    }

    /**
     * Returns the fault in the bytes received; null when there was none. An alert of the other side's is nothing
     * wrong, nor is an end, nor that it answers as often as it is asked.
     */
    final @Nullable String complaint() {
        TlsFailure failure = engine.failure();
        if (failure == null || failure.reason().isAlertReceived()) {
            return null;
        }
        return ALLOWED.contains(failure.reason()) ? null : failure.toString();
    }
}
