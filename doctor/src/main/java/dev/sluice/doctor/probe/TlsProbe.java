package dev.sluice.doctor.probe;

import dev.sluice.doctor.probe.ProbeException.Kind;
import dev.sluice.ffi.RawMemory;
import dev.sluice.ffi.openssl.BioPair;
import dev.sluice.ffi.openssl.ErrorQueue;
import dev.sluice.ffi.openssl.MessageTap;
import dev.sluice.ffi.openssl.OpenSslConstants;
import dev.sluice.ffi.openssl.OpenSslError;
import dev.sluice.ffi.openssl.Ssl;
import dev.sluice.ffi.openssl.SslCtx;
import dev.sluice.ffi.openssl.SslSession;
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
 * One connection by libssl over a blocking socket, all of whose messages are looked at. It verifies nothing: that is what the
 * audit is for. Confined to one thread; its owner closes it.
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
    private final Transcript transcript;
    private boolean ended;
    private boolean holdsBack;

    private TlsProbe(Dialer.Wire wire, DoctorLimits limits, SslCtx context) {
        this.wire = wire;
        this.limits = limits;
        this.transcript = new Transcript(wire.connectNanos(), wire.readyNanos());
        this.ssl = Ssl.client(context);
        ssl.attach(pair);
        tap.attach(ssl);
    }

    /**
     * Connects, and does not begin the handshake.
     *
     * @param context a client's, which verifies nothing
     */
    public static TlsProbe dial(Dialer dialer, InetAddress address, SslCtx context) throws ProbeException {
        TlsProbe probe = new TlsProbe(dialer.dial(address), dialer.limits(), context);
        if (!dialer.target().serverName().isEmpty()) {
            probe.ssl.serverName(dialer.target().serverName());
        }
        probe.ssl.askForStatus();
        return probe;
    }

    /** Offers a session, which stays the caller's. */
    public void resume(SslSession session) {
        ssl.resume(session);
    }

    /**
     * Completes the handshake.
     *
     * @throws ProbeException with the step at which it ended
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
     * Sends early data, within what the session's tickets allow; the handshake is to follow.
     *
     * @return bytes that libssl took
     */
    public int writeEarlyData(byte[] data) throws ProbeException {
        MemorySegment.copy(data, 0, piece, ValueLayout.JAVA_BYTE, 0, data.length);
        int written = ssl.writeEarlyData(piece.address(), data.length);
        ErrorQueue.clear();
        afterCall();
        return written;
    }

    /** From now on nothing is sent: a handshake completes here, and not at the server. */
    public void holdBack() {
        holdsBack = true;
    }

    /** Sends what was held back, and all that follows. */
    public void goOn() throws ProbeException {
        holdsBack = false;
        afterCall();
    }

    /** What has become of early data: {@code SSL_EARLY_DATA_*}. */
    public int earlyDataStatus() {
        return ssl.earlyDataStatus();
    }

    /** Writes application data, as much as a record holds. */
    public void write(byte[] data) throws ProbeException {
        MemorySegment.copy(data, 0, piece, ValueLayout.JAVA_BYTE, 0, data.length);
        if (ssl.write(piece.address(), data.length) != data.length) {
            throw failed();
        }
        afterCall();
    }

    /** The next write begins with a KeyUpdate that asks for one. */
    public void askForKeyUpdate() {
        ssl.updateKeys(true);
    }

    /**
     * Reads what comes, for so long.
     *
     * @param mostBytes after how many bytes it returns
     * @param until asked after each piece whether that is enough
     * @return what was read; the transcript tells how it ended
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
            // Nothing more came: the transcript has what did.
        }
        return plain.toByteArray();
    }

    /** Whether what has come is all that is wanted. */
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

    /** What was seen until now. */
    public Transcript transcript() {
        return transcript;
    }

    /** What the handshake came to, for use by the audits. */
    public Ssl ssl() {
        return ssl;
    }

    /** A session to resume, or null; the caller closes it. */
    public @Nullable SslSession session() {
        return ssl.session();
    }

    /** Whether nothing more can come. */
    boolean ended() {
        return ended;
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
                            "ends the connection, and was to "
                                    + transcript.awaited().text());
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
                    "resets the connection, and was to " + transcript.awaited().text());
        }
    }

    /** Notes the messages, and sends what libssl has written. */
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
            // A server that has reset the connection may have told why before: what it said is still to be read.
            transcript.reset();
        }
    }

    private ProbeException failed() {
        List<OpenSslError> errors = ErrorQueue.drain();
        String reason = errors.isEmpty() ? "no cause is told" : errors.getLast().reasonText();
        int alert = transcript.alertReceived();
        if (alert >= 0) {
            return new ProbeException(Kind.ALERT, transcript.awaited(), "refuses by the alert " + Alerts.text(alert));
        }
        boolean nothingOfTls = transcript.awaited() == Step.SERVER_HELLO;
        return new ProbeException(
                nothingOfTls ? Kind.NOT_TLS : Kind.REFUSED_BY_US,
                transcript.awaited(),
                "was to " + transcript.awaited().text() + ", and what came is wrong: " + reason);
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
