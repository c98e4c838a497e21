package dev.sluice.tls.engine;

import static dev.sluice.ffi.libc.Constants.IPPROTO_TCP;
import static dev.sluice.ffi.libc.Constants.MSG_NOSIGNAL;
import static dev.sluice.ffi.libc.Constants.SOL_TLS;
import static dev.sluice.ffi.libc.Constants.TCP_ULP;
import static dev.sluice.ffi.libc.Constants.TLS_GET_RECORD_TYPE;
import static dev.sluice.ffi.libc.Constants.TLS_RX;
import static dev.sluice.ffi.libc.Constants.TLS_SET_RECORD_TYPE;
import static dev.sluice.ffi.libc.Constants.TLS_TX;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.libc.MessageHeader;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.libc.TlsCryptoInfo;
import dev.sluice.tls.failure.EndReason;
import dev.sluice.tls.failure.TlsAlert;
import dev.sluice.tls.failure.TlsFailure;
import dev.sluice.tls.record.Alert;
import dev.sluice.tls.record.CipherSuite;
import dev.sluice.tls.record.ConnectionKeys;
import dev.sluice.tls.record.ContentType;
import dev.sluice.tls.record.KernelKeys;
import dev.sluice.tls.record.PostHandshakeReader;
import dev.sluice.tls.record.RecordProtector;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * An established connection whose records the kernel protects (kTLS): plaintext is read from and written to the socket;
 * only alerts and messages are handled here, as records with a type of their own.
 *
 * <pre>{@code
 * if (KernelTls.unavailable(libc).isEmpty()) ...            once, at start
 * DirectRecords records = engine.handOff(...);             when no byte waits to be sent, none is unread
 * KernelTls tls = KernelTls.handOver(records, fd, libc);    null: the connection continues without
 * }</pre>
 *
 * <p>Kernels before 6.14 cannot change the keys: a KeyUpdate from the peer, or reaching the AEAD's limit, ends the
 * connection with the reason {@code kernel_key_update}. Confined to the thread of its {@link LoopCrypto}; only a
 * failing call allocates. The descriptor's owner keeps it. Linux's Documentation/networking/tls.rst, linux/tls.h.
 */
public final class KernelTls implements AutoCloseable {
    private static final byte[] NAME = {'t', 'l', 's', 0};
    private static final int ALERT_BYTES = 2;
    private static final int WARNING = 1;
    private static final int FATAL = 2;
    private static final int SCRATCH_BYTES = MessageHeader.BYTES + Long.BYTES;

    private final DirectRecords records;
    private final int descriptor;
    private final LibC libc;
    private final PostHandshakeReader messages;
    private final MemorySegment scratch;
    private final long recordLimit;

    /** The upper bound of the records sealed under our key. */
    private long sealed;

    private boolean closed;

    private KernelTls(DirectRecords records, int descriptor, LibC libc) {
        this.records = records;
        this.descriptor = descriptor;
        this.libc = libc;
        this.messages = new PostHandshakeReader(ConnectionKeys.isServer(records.keys()));
        this.scratch = records.crypto().allocator().allocate(SCRATCH_BYTES, Long.BYTES);
        this.recordLimit = records.channel().suite().aead().recordLimit();
    }

    /**
     * Returns the reason why the kernel lacks TLS. Probes an unconnected socket, which a kernel with TLS rejects for
     * that reason only.
     *
     * @return "" if it has TLS; otherwise cause and remedy
     */
    public static String unavailable(LibC libc) {
        int socket = libc.socket(Constants.AF_INET, Constants.SOCK_STREAM | Constants.SOCK_CLOEXEC, 0);
        if (socket < 0) {
            return "no socket for the probe: " + Errno.describe(-socket);
        }
        int answer = attach(libc, socket);
        libc.close(socket);
        if (answer >= 0 || answer == -Errno.ENOTCONN) {
            return "";
        }
        return "kernel TLS is unavailable (TCP_ULP: " + Errno.describe(-answer)
                + (answer == -Errno.ENOENT ? "); load the module with: modprobe tls" : "");
    }

    private static int attach(LibC libc, int descriptor) {
        long name = LibC.calloc(1, NAME.length);
        RawMemory.copy(NAME, 0, name, NAME.length);
        int answer = libc.setsockopt(descriptor, IPPROTO_TCP, TCP_ULP, name, NAME.length);
        LibC.free(name);
        return answer;
    }

    /**
     * Passes a connection's keys to the kernel. No received byte may be unread, and no control record may wait.
     *
     * @param records owned by the result
     * @param descriptor the connected socket
     * @return null, with the records unchanged and kept by the caller, if the kernel does not support such keys, or the
     *     peer requires shorter records than the kernel sends
     * @throws IllegalStateException when the kernel accepted one direction only: the connection is lost, close both
     */
    public static @Nullable KernelTls handOver(DirectRecords records, int descriptor, LibC libc) {
        if (records.controlWaits()) {
            throw new IllegalStateException("control records are waiting; send them before handOver()");
        }
        if (records.channel().maxPayloadBytes() < RecordProtector.MAX_PAYLOAD_BYTES) {
            return null;
        }
        if (attach(libc, descriptor) < 0 || install(records, descriptor, libc, TLS_TX) < 0) {
            return null;
        }
        int received = install(records, descriptor, libc, TLS_RX);
        if (received < 0) {
            throw new IllegalStateException(
                    "kernel accepted the sending keys but not the receiving ones: " + Errno.describe(-received));
        }
        return new KernelTls(records, descriptor, libc);
    }

    private static int install(DirectRecords records, int descriptor, LibC libc, int direction) {
        CipherSuite suite = records.channel().suite();
        long keys =
                direction == TLS_TX ? ConnectionKeys.sealing(records.keys()) : ConnectionKeys.opening(records.keys());
        MemorySegment info = records.crypto().allocator().allocate(TlsCryptoInfo.MAX_BYTES, Long.BYTES);
        int bytes = KernelKeys.write(suite, keys, info.address());
        int answer = libc.setsockopt(descriptor, SOL_TLS, direction, info.address(), bytes);
        info.fill((byte) 0);
        records.crypto().allocator().free(info);
        return answer;
    }

    /** Returns the state of the connection. */
    public EngineState state() {
        return records.state();
    }

    /** Returns the failure of the connection; null when it has not failed. */
    public @Nullable TlsFailure failure() {
        return records.failure();
    }

    /**
     * Receives plaintext.
     *
     * @param capacity at least 2, the size of an alert
     * @return bytes, or an {@link EngineStatus}: WANT_READ, CLOSED or FAILED
     */
    public int read(long address, int capacity) {
        if (capacity < ALERT_BYTES) {
            throw new IllegalArgumentException("read requires room for an alert, capacity=" + capacity);
        }
        records.on(EngineEvent.READ);
        while (records.state() == EngineState.OPEN || records.state() == EngineState.CLOSING_SENT) {
            long message = scratch.address();
            MessageHeader.setForReceiving(message, address, capacity);
            long received = libc.recvmsg(descriptor, message, 0);
            if (received == -Errno.EAGAIN) {
                return EngineStatus.WANT_READ;
            }
            if (received < 0) {
                return fail(refused((int) -received));
            }
            int type = MessageHeader.controlByte(message, SOL_TLS, TLS_GET_RECORD_TYPE);
            if (received > 0 && type == ContentType.APPLICATION_DATA && !messages.isInsideMessage()) {
                return (int) received;
            }
            control(type, address, (int) received);
        }
        return state() == EngineState.FAILED ? EngineStatus.FAILED : EngineStatus.CLOSED;
    }

    private void control(int type, long content, int length) {
        switch (type) {
            case MessageHeader.NO_CONTROL -> fail(TlsFailures.truncated(Alert.DECODE_ERROR));
            case ContentType.ALERT -> alert(content, length);
            case ContentType.HANDSHAKE -> message(content, length);
            case ContentType.APPLICATION_DATA -> {
                if (messages.isInsideMessage()) {
                    fail(EndReason.INTERRUPTED_MESSAGE, Alert.UNEXPECTED_MESSAGE);
                }
            }
            default -> fail(EndReason.UNEXPECTED_MESSAGE, Alert.UNEXPECTED_MESSAGE);
        }
    }

    private void alert(long content, int length) {
        int description = RawMemory.getByte(content + 1) & 0xFF;
        if (length != ALERT_BYTES) {
            fail(EndReason.MALFORMED_ALERT, Alert.DECODE_ERROR);
        } else if (description == Alert.CLOSE_NOTIFY) {
            records.on(EngineEvent.CLOSE_NOTIFY_RECEIVED);
        } else if (!isHarmless(RawMemory.getByte(content), description)) {
            records.fail(TlsFailures.alertReceived(description));
        }
    }

    private boolean isHarmless(int level, int description) {
        return records.channel().suite().isTls13() ? description == Alert.USER_CANCELED : level == WARNING;
    }

    private void message(long content, int length) {
        if (!records.channel().suite().isTls13()) {
            return; // a request to renegotiate is not even declined: the peer may continue without
        }
        int read = messages.read(content, length);
        if (read < 0) {
            fail(messages.reason(), -read);
        } else if (read != PostHandshakeReader.NOTHING) {
            fail(EndReason.KERNEL_KEY_UPDATE, Alert.INTERNAL_ERROR);
        }
    }

    private static TlsFailure refused(int errno) {
        return switch (errno) {
            case Errno.EBADMSG -> TlsFailures.found(EndReason.BAD_RECORD_MAC, Alert.BAD_RECORD_MAC);
            case Errno.EMSGSIZE -> TlsFailures.found(EndReason.RECORD_OVERFLOW, Alert.RECORD_OVERFLOW);
            case Errno.EINVAL -> TlsFailures.found(EndReason.WRONG_RECORD_VERSION, Alert.PROTOCOL_VERSION);
            default -> TlsFailures.transport(errno);
        };
    }

    /**
     * Sends plaintext.
     *
     * @return bytes accepted by the kernel, WANT_WRITE or FAILED
     */
    public int write(long address, int length) {
        records.on(EngineEvent.WRITE);
        if (state() == EngineState.FAILED) {
            return EngineStatus.FAILED;
        }
        if (sealed >= recordLimit) {
            return fail(EndReason.KERNEL_KEY_UPDATE, Alert.INTERNAL_ERROR);
        }
        long sent = libc.send(descriptor, address, length, MSG_NOSIGNAL);
        if (sent < 0) {
            return sent == -Errno.EAGAIN ? EngineStatus.WANT_WRITE : fail(TlsFailures.transport((int) -sent));
        }
        sealed += 1 + sent / RecordProtector.MAX_PAYLOAD_BYTES;
        return (int) sent;
    }

    /** Closes our direction with close_notify: DONE, WANT_WRITE when the peer must read first, or FAILED. */
    public int closeOutput() {
        records.on(EngineEvent.CLOSE_OUTPUT);
        if (state() == EngineState.OPEN || state() == EngineState.CLOSING_RECEIVED) {
            if (sendAlert(WARNING, Alert.CLOSE_NOTIFY) == -Errno.EAGAIN) {
                return EngineStatus.WANT_WRITE;
            }
            records.on(EngineEvent.CLOSE_NOTIFY_SENT);
        }
        return state() == EngineState.FAILED ? EngineStatus.FAILED : EngineStatus.DONE;
    }

    private long sendAlert(int level, int description) {
        long message = scratch.address();
        long alert = message + MessageHeader.BYTES;
        RawMemory.putByte(alert, (byte) level);
        RawMemory.putByte(alert + 1, (byte) description);
        MessageHeader.setForSending(message, alert, ALERT_BYTES, SOL_TLS, TLS_SET_RECORD_TYPE, ContentType.ALERT);
        return libc.sendmsg(descriptor, message, MSG_NOSIGNAL);
    }

    private int fail(EndReason reason, int alert) {
        return fail(TlsFailures.found(reason, alert));
    }

    /** Fails the connection and alerts the peer if possible. */
    private int fail(TlsFailure why) {
        if (why.alert() != TlsAlert.NONE && state() != EngineState.CLOSING_SENT) {
            sendAlert(FATAL, why.alert());
        }
        records.fail(why);
        return EngineStatus.FAILED;
    }

    /** Wipes and frees the secrets; the kernel discards its keys with the descriptor. Idempotent. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            records.crypto().allocator().free(scratch);
            records.close();
        }
    }
}
