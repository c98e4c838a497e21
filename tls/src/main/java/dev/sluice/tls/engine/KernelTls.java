package dev.sluice.tls.engine;

import static dev.sluice.ffi.libc.Constants.IPPROTO_TCP;
import static dev.sluice.ffi.libc.Constants.MSG_DONTWAIT;
import static dev.sluice.ffi.libc.Constants.MSG_NOSIGNAL;
import static dev.sluice.ffi.libc.Constants.SOL_TLS;
import static dev.sluice.ffi.libc.Constants.TCP_ULP;
import static dev.sluice.ffi.libc.Constants.TLS_GET_RECORD_TYPE;
import static dev.sluice.ffi.libc.Constants.TLS_RX;
import static dev.sluice.ffi.libc.Constants.TLS_SET_RECORD_TYPE;
import static dev.sluice.ffi.libc.Constants.TLS_TX;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.Kernel;
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
import dev.sluice.tls.record.HandshakeMessageReader;
import dev.sluice.tls.record.KernelKeys;
import dev.sluice.tls.record.PostHandshakeReader;
import dev.sluice.tls.record.RecordChannel;
import dev.sluice.tls.record.RecordProtector;
import dev.sluice.tls.record.RenegotiationReader;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An established connection whose records the kernel protects (kTLS): plaintext is read from and written to the socket;
 * only alerts and messages are handled here, as records with a type of their own.
 *
 * <pre>{@code
 * if (KernelTls.unavailable(libc).isEmpty()) ...            once, at start
 * DirectRecords records = engine.handOff(...);             when no byte waits to be sent, none is unread
 * KernelTls tls = KernelTls.handOver(records, fd, libc, outcome -> count(outcome));
 * }</pre>
 *
 * <p>An owner that leaves the socket to this object calls {@link #read} and {@link #write}. One that receives and sends
 * by itself, as an event loop does, tells of it by {@link #received}, {@link #receiveFailed} and {@link #sending}, and
 * sends what is owed by {@link #sendOwed} when nothing else waits.
 *
 * <p>The keys cannot be changed (kernels before 6.14 lack that): a KeyUpdate from the peer, or reaching the AEAD's
 * limit, ends the connection with the reason {@code kernel_key_update}. Confined to the thread of its
 * {@link LoopCrypto}; only a failing call allocates. The descriptor's owner keeps it. Linux's
 * Documentation/networking/tls.rst, linux/tls.h.
 */
public final class KernelTls implements AutoCloseable {
    private static final byte[] NAME = {'t', 'l', 's', 0};
    private static final int ALERT_BYTES = 2;
    private static final int WARNING = 1;
    private static final int FATAL = 2;

    /** The most that is read of a control record at a time. */
    private static final int CONTROL_BYTES = 64;

    private static final int ALERT_OFFSET = MessageHeader.BYTES;
    private static final int CONTROL_OFFSET = ALERT_OFFSET + Long.BYTES;
    private static final int SCRATCH_BYTES = CONTROL_OFFSET + CONTROL_BYTES;

    private final DirectRecords records;
    private final int descriptor;
    private final Kernel kernel;
    private final HandshakeMessageReader messages;
    private final MemorySegment scratch;
    private final long recordLimit;

    /** The upper bound of the records sealed under our key. */
    private long sealed;

    /** Alerts and messages since the last data. */
    private byte warningsInARow;

    private byte messagesInARow;

    /** The alert to be sent, or {@link TlsAlert#NONE}: fatal after a failure, otherwise a warning. */
    private int owed = TlsAlert.NONE;

    private boolean closed;

    private KernelTls(DirectRecords records, int descriptor, Kernel kernel) {
        this.records = records;
        this.descriptor = descriptor;
        this.kernel = kernel;
        boolean server = ConnectionKeys.isServer(records.keys());
        this.messages = isTls13() ? new PostHandshakeReader(server) : new RenegotiationReader(server);
        this.scratch = records.crypto().allocator().allocate(SCRATCH_BYTES, Long.BYTES);
        this.recordLimit = records.channel().suite().aead().recordLimit();
    }

    /**
     * Returns the reason why the kernel lacks TLS. Probes an unconnected socket, which a kernel with TLS rejects for
     * that reason only.
     *
     * @return "" if it has TLS; otherwise cause and remedy
     */
    public static String unavailable(Kernel kernel) {
        int socket = kernel.socket(Constants.AF_INET, Constants.SOCK_STREAM | Constants.SOCK_CLOEXEC, 0);
        if (socket < 0) {
            return "no socket for the probe: " + Errno.describe(-socket);
        }
        int answer = attach(kernel, socket);
        kernel.close(socket);
        if (answer >= 0 || answer == -Errno.ENOTCONN) {
            return "";
        }
        return "kernel TLS is unavailable (TCP_ULP: " + Errno.describe(-answer)
                + (answer == -Errno.ENOENT ? "); load the module with: modprobe tls" : ")");
    }

    private static int attach(Kernel kernel, int descriptor) {
        long name = LibC.calloc(1, NAME.length);
        RawMemory.copy(NAME, 0, name, NAME.length);
        int answer = kernel.setsockopt(descriptor, IPPROTO_TCP, TCP_ULP, name, NAME.length);
        LibC.free(name);
        return answer;
    }

    /**
     * Passes a connection's keys to the kernel. No received byte may be unread, and no control record may wait.
     *
     * @param records owned by the result
     * @param descriptor the connected socket
     * @param outcome told before this returns
     * @return null, with the records unchanged and kept by the caller, for any outcome but
     *     {@link KernelHandover#KERNEL}
     * @throws IllegalStateException when the kernel accepted one direction only: the connection is lost, close both
     */
    public static @Nullable KernelTls handOver(
            DirectRecords records, int descriptor, Kernel kernel, Consumer<KernelHandover> outcome) {
        if (records.controlWaits()) {
            throw new IllegalStateException("control records are waiting; send them before handOver()");
        }
        KernelHandover result = install(records, descriptor, kernel);
        KernelTls tls = result == KernelHandover.KERNEL ? new KernelTls(records, descriptor, kernel) : null;
        outcome.accept(result);
        return tls;
    }

    private static KernelHandover install(DirectRecords records, int descriptor, Kernel kernel) {
        if (records.channel().maxPayloadBytes() < RecordProtector.MAX_PAYLOAD_BYTES) {
            return KernelHandover.SHORT_RECORDS;
        }
        if (attach(kernel, descriptor) < 0) {
            return KernelHandover.KERNEL_LACKS_TLS;
        }
        if (install(records, descriptor, kernel, TLS_TX) < 0) {
            return KernelHandover.SUITE;
        }
        int received = install(records, descriptor, kernel, TLS_RX);
        if (received < 0) {
            throw new IllegalStateException(
                    "kernel accepted the sending keys but not the receiving ones: " + Errno.describe(-received));
        }
        return KernelHandover.KERNEL;
    }

    private static int install(DirectRecords records, int descriptor, Kernel kernel, int direction) {
        CipherSuite suite = records.channel().suite();
        long keys =
                direction == TLS_TX ? ConnectionKeys.sealing(records.keys()) : ConnectionKeys.opening(records.keys());
        MemorySegment info = records.crypto().allocator().allocate(TlsCryptoInfo.MAX_BYTES, Long.BYTES);
        int bytes = KernelKeys.write(suite, keys, info.address());
        int answer = kernel.setsockopt(descriptor, SOL_TLS, direction, info.address(), bytes);
        info.fill((byte) 0);
        records.crypto().allocator().free(info);
        return answer;
    }

    private boolean isTls13() {
        return records.channel().suite().isTls13();
    }

    /** Returns the state of the connection. */
    public EngineState state() {
        return records.state();
    }

    /** Returns the failure of the connection; null when it has not failed. */
    public @Nullable TlsFailure failure() {
        return records.failure();
    }

    // --- receiving --------------------------------------------------------------------------------------------------

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
        while (mayReceive()) {
            long message = scratch.address();
            MessageHeader.setForReceiving(message, address, capacity);
            long received = kernel.recvmsg(descriptor, message, 0);
            if (received == -Errno.EAGAIN) {
                return EngineStatus.WANT_READ;
            }
            if (received < 0) {
                fail(refused((int) -received));
            } else if (typeReceived() == ContentType.APPLICATION_DATA) {
                if (received > 0 && received() == EngineStatus.DONE) {
                    return (int) received;
                }
            } else {
                control(typeReceived(), address, (int) received);
            }
            sendOwed();
        }
        return outcome();
    }

    private boolean mayReceive() {
        return state() == EngineState.OPEN || state() == EngineState.CLOSING_SENT;
    }

    private int typeReceived() {
        return MessageHeader.controlByte(scratch.address(), SOL_TLS, TLS_GET_RECORD_TYPE);
    }

    /** Returns how reading goes on: WANT_READ, CLOSED or FAILED. */
    private int outcome() {
        if (mayReceive()) {
            return EngineStatus.WANT_READ;
        }
        return state() == EngineState.FAILED ? EngineStatus.FAILED : EngineStatus.CLOSED;
    }

    /** Notes that the owner has received plaintext by itself: DONE, or FAILED when it must not be used. */
    public int received() {
        if (messages.isInsideMessage()) {
            return fail(EndReason.INTERRUPTED_MESSAGE, Alert.UNEXPECTED_MESSAGE);
        }
        warningsInARow = 0;
        messagesInARow = 0;
        return EngineStatus.DONE;
    }

    /** Returns true for the errors of a receive that {@link #receiveFailed} takes: those that tell of a record. */
    public static boolean concernsRecord(int errno) {
        return errno == Errno.EIO || errno == Errno.EBADMSG || errno == Errno.EMSGSIZE || errno == Errno.EINVAL;
    }

    /**
     * Takes an error of a receive of the owner's. EIO tells of a control record, which is read here.
     *
     * @param errno positive
     * @return WANT_READ when the connection continues, CLOSED after close_notify, or FAILED
     */
    public int receiveFailed(int errno) {
        if (errno != Errno.EIO) {
            return mayReceive() ? fail(refused(errno)) : outcome();
        }
        long content = scratch.address() + CONTROL_OFFSET;
        MessageHeader.setForReceiving(scratch.address(), content, CONTROL_BYTES);
        long received = kernel.recvmsg(descriptor, scratch.address(), MSG_DONTWAIT);
        if (mayReceive() && received != -Errno.EAGAIN && received != -Errno.EINTR) {
            if (received < 0) {
                fail(refused((int) -received));
            } else {
                control(typeReceived(), content, (int) received);
            }
        }
        return outcome();
    }

    /** Fails the connection whose stream ended without close_notify; no effect after an end. */
    public void truncated() {
        if (mayReceive()) {
            fail(TlsFailures.truncated(Alert.DECODE_ERROR));
        }
    }

    private void control(int type, long content, int length) {
        boolean mayInterrupt = type == ContentType.HANDSHAKE
                || type == MessageHeader.NO_CONTROL
                || (type == ContentType.ALERT && !isTls13());
        if (messages.isInsideMessage() && !mayInterrupt) {
            fail(EndReason.INTERRUPTED_MESSAGE, Alert.UNEXPECTED_MESSAGE);
            return;
        }
        switch (type) {
            case MessageHeader.NO_CONTROL -> truncated();
            case ContentType.ALERT -> alert(content, length);
            case ContentType.HANDSHAKE -> message(content, length);
            default -> fail(EndReason.UNEXPECTED_MESSAGE, Alert.UNEXPECTED_MESSAGE);
        }
    }

    private void alert(long content, int length) {
        if (length != ALERT_BYTES) {
            fail(EndReason.MALFORMED_ALERT, Alert.DECODE_ERROR);
            return;
        }
        int level = RawMemory.getByte(content) & 0xFF;
        int description = RawMemory.getByte(content + 1) & 0xFF;
        if (level != WARNING && level != FATAL) {
            fail(EndReason.MALFORMED_ALERT, Alert.ILLEGAL_PARAMETER);
        } else if (description == Alert.CLOSE_NOTIFY && (isTls13() || level == WARNING)) {
            records.on(EngineEvent.CLOSE_NOTIFY_RECEIVED);
        } else if (!isHarmless(level, description)) {
            records.fail(TlsFailures.alertReceived(description));
        } else if (++warningsInARow > RecordChannel.MAX_WARNINGS_IN_A_ROW) {
            fail(EndReason.FLOOD, Alert.UNEXPECTED_MESSAGE);
        }
    }

    private boolean isHarmless(int level, int description) {
        return isTls13() ? description == Alert.USER_CANCELED : level == WARNING;
    }

    private void message(long content, int length) {
        int read = messages.read(content, length);
        if (read < 0) {
            fail(messages.reason(), -read);
        } else if (read == HandshakeMessageReader.RENEGOTIATION) {
            renegotiation();
        } else if (read != HandshakeMessageReader.NOTHING) {
            fail(EndReason.KERNEL_KEY_UPDATE, Alert.INTERNAL_ERROR);
        }
    }

    private void renegotiation() {
        if (++messagesInARow > RecordChannel.MAX_MESSAGES_IN_A_ROW) {
            fail(EndReason.FLOOD, Alert.UNEXPECTED_MESSAGE);
        } else if (state() == EngineState.OPEN) {
            owed = TlsAlert.NO_RENEGOTIATION.number();
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

    // --- sending ----------------------------------------------------------------------------------------------------

    /**
     * Sends plaintext.
     *
     * @return bytes accepted by the kernel, WANT_WRITE or FAILED
     */
    public int write(long address, int length) {
        if (sending(0) == EngineStatus.FAILED) {
            sendOwed();
            return EngineStatus.FAILED;
        }
        long sent = kernel.send(descriptor, address, length, MSG_NOSIGNAL);
        if (sent < 0) {
            return sent == -Errno.EAGAIN ? EngineStatus.WANT_WRITE : fail(TlsFailures.transport((int) -sent));
        }
        sealed += sent / RecordProtector.MAX_PAYLOAD_BYTES;
        return (int) sent;
    }

    /**
     * Notes that the owner is about to send plaintext by itself, or the rest of it in a call of its own.
     *
     * @return DONE, or FAILED when it must not be sent
     */
    public int sending(int length) {
        records.on(EngineEvent.WRITE);
        if (state() == EngineState.FAILED) {
            return EngineStatus.FAILED;
        }
        sealed += 1 + length / RecordProtector.MAX_PAYLOAD_BYTES;
        return sealed > recordLimit ? fail(EndReason.KERNEL_KEY_UPDATE, Alert.INTERNAL_ERROR) : EngineStatus.DONE;
    }

    /** Closes our direction with close_notify: DONE, WANT_WRITE when the peer must read first, or FAILED. */
    public int closeOutput() {
        records.on(EngineEvent.CLOSE_OUTPUT);
        if (state() == EngineState.OPEN || state() == EngineState.CLOSING_RECEIVED) {
            owed = TlsAlert.NONE;
            if (sendAlert(WARNING, Alert.CLOSE_NOTIFY) == -Errno.EAGAIN) {
                return EngineStatus.WANT_WRITE;
            }
            records.on(EngineEvent.CLOSE_NOTIFY_SENT);
        }
        return state() == EngineState.FAILED ? EngineStatus.FAILED : EngineStatus.DONE;
    }

    /** Returns true when an alert is to be sent by {@link #sendOwed}. */
    public boolean owes() {
        return owed != TlsAlert.NONE;
    }

    /** Sends the alert that is owed, if any: DONE, or WANT_WRITE when the peer must read first. */
    public int sendOwed() {
        if (owes()) {
            int level = state() == EngineState.FAILED ? FATAL : WARNING;
            if (sendAlert(level, owed) == -Errno.EAGAIN) {
                return EngineStatus.WANT_WRITE;
            }
            owed = TlsAlert.NONE;
        }
        return EngineStatus.DONE;
    }

    private long sendAlert(int level, int description) {
        long message = scratch.address();
        long alert = message + ALERT_OFFSET;
        RawMemory.putByte(alert, (byte) level);
        RawMemory.putByte(alert + 1, (byte) description);
        MessageHeader.setForSending(message, alert, ALERT_BYTES, SOL_TLS, TLS_SET_RECORD_TYPE, ContentType.ALERT);
        return kernel.sendmsg(descriptor, message, MSG_NOSIGNAL | MSG_DONTWAIT);
    }

    // --- the end ----------------------------------------------------------------------------------------------------

    private int fail(EndReason reason, int alert) {
        boolean tells = state() != EngineState.CLOSING_SENT;
        return fail(TlsFailures.found(reason, tells ? alert : TlsAlert.NONE));
    }

    /** Fails the connection; the peer is owed an alert unless our side is closed. */
    private int fail(TlsFailure why) {
        owed = state() == EngineState.CLOSING_SENT ? TlsAlert.NONE : why.alert();
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
