package dev.sluice.doctor.probe;

import dev.sluice.doctor.probe.ProbeException.Kind;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.BioPair;
import dev.sluice.ffi.openssl.ErrorQueue;
import dev.sluice.ffi.openssl.MessageTap;
import dev.sluice.ffi.openssl.OpenSslError;
import dev.sluice.ffi.openssl.Ssl;
import dev.sluice.ffi.openssl.SslCtx;
import dev.sluice.ffi.openssl.SslSession;
import dev.sluice.ffi.openssl.raw.OpenSslConstants;
import dev.sluice.tls.failure.TlsAlert;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One connection through libssl on a blocking socket, with all messages recorded. Verifies nothing, as that is the task
 * of the audit. Confined to one thread; its owner closes it.
 */
public final class TlsProbe implements AutoCloseable {
    private static final int RING_BYTES = 17 * 1024;
    private static final int PIECE_BYTES = 16 * 1024;

    private final Dialer.Wire wire;
    private final DoctorLimits limits;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment piece = arena.allocate(PIECE_BYTES);
    private final byte[] chunk = new byte[PIECE_BYTES];
    private final MessageTap tap = new MessageTap();
    private final BioPair pair = new BioPair(RING_BYTES);
    private final Ssl ssl;
    private final HandshakeTranscript transcript;
    private boolean ended;
    private boolean holdsBack;

    private TlsProbe(Dialer.Wire wire, DoctorLimits limits, SslCtx context) {
        this.wire = wire;
        this.limits = limits;
        this.transcript = new HandshakeTranscript(wire.connectNanos(), wire.readyNanos());
        this.ssl = Ssl.client(context);
        ssl.attach(pair);
        tap.attach(ssl);
    }

    /**
     * Connects without starting the handshake.
     *
     * @param context a client context without verification
     */
    public static TlsProbe dial(Dialer dialer, InetAddress address, SslCtx context) throws ProbeException {
        TlsProbe probe = new TlsProbe(dialer.dial(address), dialer.limits(), context);
        if (!dialer.target().serverName().isEmpty()) {
            probe.ssl.serverName(dialer.target().serverName());
        }
        probe.ssl.askForStatus();
        return probe;
    }

    /** Offers a session, which the caller keeps. */
    public void resume(SslSession session) {
        ssl.resume(session);
    }

    /**
     * Completes the handshake.
     *
     * @throws ProbeException with the failed step
     */
    public void handshake() throws ProbeException {
        DeadlineStream in = new DeadlineStream(wire.socket(), limits.step());
        while (true) {
            int result = ssl.handshake();
            int error = result == 1 ? OpenSslConstants.SSL_ERROR_NONE : ssl.error(result);
            afterCall();
            if (result == 1) {
                transcript.completed(System.nanoTime());
                return;
            }
            if (error != OpenSslConstants.SSL_ERROR_WANT_READ && error != OpenSslConstants.SSL_ERROR_WANT_WRITE) {
                throw failed();
            }
            if (error == OpenSslConstants.SSL_ERROR_WANT_READ) {
                receive(in);
            }
        }
    }

    /**
     * Sends early data within the limit of the session's tickets, before the handshake.
     *
     * @return bytes accepted by libssl
     */
    public int writeEarlyData(byte[] data) throws ProbeException {
        MemorySegment.copy(data, 0, piece, ValueLayout.JAVA_BYTE, 0, data.length);
        int written = ssl.writeEarlyData(piece.address(), data.length);
        ErrorQueue.clear();
        afterCall();
        return written;
    }

    /** Withholds all output from now on: a handshake completes here, but not at the server. */
    public void holdBack() {
        holdsBack = true;
    }

    /** Sends the withheld output, and all later output. */
    public void goOn() throws ProbeException {
        holdsBack = false;
        afterCall();
    }

    /** Returns the early-data status, {@code SSL_EARLY_DATA_*}. */
    public int earlyDataStatus() {
        return ssl.earlyDataStatus();
    }

    /** Writes application data of at most one record. */
    public void write(byte[] data) throws ProbeException {
        MemorySegment.copy(data, 0, piece, ValueLayout.JAVA_BYTE, 0, data.length);
        if (ssl.write(piece.address(), data.length) != data.length) {
            throw failed();
        }
        afterCall();
    }

    /** Schedules a KeyUpdate that requests one, sent before the next write. */
    public void askForKeyUpdate() {
        ssl.updateKeys(true);
    }

    /**
     * Reads application data for a time.
     *
     * @param mostBytes maximum number of bytes
     * @param until called after each piece; true ends the read
     * @return the bytes read; the transcript records the end
     */
    public byte[] read(Duration time, int mostBytes, Enough until) {
        DeadlineStream in = new DeadlineStream(wire.socket(), time);
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        try {
            while (plain.size() < mostBytes && !ended) {
                int count = ssl.read(piece.address(), PIECE_BYTES);
                int error = count > 0 ? OpenSslConstants.SSL_ERROR_NONE : ssl.error(count);
                afterCall();
                if (count > 0) {
                    RawMemory.copy(piece.address(), chunk, 0, count);
                    plain.write(chunk, 0, count);
                } else if (error == OpenSslConstants.SSL_ERROR_WANT_READ) {
                    if (until.enough(plain.toByteArray())) {
                        break;
                    }
                    receive(in);
                } else {
                    ended = true;
                    ErrorQueue.clear();
                }
            }
        } catch (ProbeException over) {
            // Nothing more came: the transcript has the reason.
        }
        return plain.toByteArray();
    }

    /** A test whether the bytes read so far are sufficient. */
    @FunctionalInterface
    public interface Enough {
        boolean enough(byte[] read);
    }

    /** Sends close_notify. */
    public void closeOutput() {
        ssl.shutdown();
        ErrorQueue.clear();
        try {
            afterCall();
        } catch (ProbeException e) {
            ended = true;
        }
    }

    /** Returns the transcript so far. */
    public HandshakeTranscript transcript() {
        return transcript;
    }

    /** Returns the connection, for the audits' use of its handshake results. */
    public Ssl ssl() {
        return ssl;
    }

    /** Returns a resumable session, or null; the caller closes it. */
    public @Nullable SslSession session() {
        return ssl.session();
    }

    private void receive(DeadlineStream in) throws ProbeException {
        try {
            int count = in.read(chunk, 0, Math.min(chunk.length, pair.receiveCapacity()));
            if (count < 0) {
                pair.endOfStream();
                transcript.endOfStream();
                ended = true;
                if (!transcript.isComplete()) {
                    throw new ProbeException(
                            Kind.CLOSED,
                            transcript.awaited(),
                            "failed to " + transcript.awaited().text() + ": connection ended");
                }
                return;
            }
            RawMemory.copy(chunk, 0, pair.receiveAddress(), count);
            pair.received(count);
            ended = false;
        } catch (SocketTimeoutException e) {
            throw Dialer.stalled(transcript.awaited(), limits);
        } catch (IOException e) {
            ended = true;
            transcript.reset();
            throw new ProbeException(
                    Kind.CLOSED,
                    transcript.awaited(),
                    "failed to " + transcript.awaited().text() + ": connection reset");
        }
    }

    /** Records the messages, and sends libssl's output. */
    private void afterCall() throws ProbeException {
        tap.take().forEach(transcript::add);
        try {
            OutputStream out = wire.socket().getOutputStream();
            for (int length = pair.sendLength(); length > 0 && !holdsBack; length = pair.sendLength()) {
                byte[] bytes = new byte[length];
                RawMemory.copy(pair.sendAddress(), bytes, 0, length);
                out.write(bytes);
                pair.sent(length);
            }
        } catch (IOException e) {
            // A server may have sent the reason before its reset: its output is still to be read.
            transcript.reset();
        }
    }

    private ProbeException failed() {
        List<OpenSslError> errors = ErrorQueue.drain();
        String reason =
                errors.isEmpty() ? "no cause is reported" : errors.getLast().reasonText();
        int alert = transcript.alertReceived();
        if (alert >= 0) {
            return new ProbeException(
                    Kind.ALERT, transcript.awaited(), "refused with the alert " + TlsAlert.label(alert));
        }
        boolean nothingOfTls = transcript.awaited() == Step.SERVER_HELLO;
        return new ProbeException(
                nothingOfTls ? Kind.NOT_TLS : Kind.REFUSED_BY_US,
                transcript.awaited(),
                "failed to " + transcript.awaited().text() + ": invalid message: " + reason);
    }

    @Override
    public void close() {
        ssl.close();
        pair.close();
        tap.close();
        arena.close();
        wire.close();
        ErrorQueue.clear();
    }
}
