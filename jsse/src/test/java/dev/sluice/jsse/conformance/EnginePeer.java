package dev.sluice.jsse.conformance;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** One engine, with the bytes that it has to send, has received and has decrypted. Used by one thread at a time. */
final class EnginePeer {
    private static final byte[] NOTHING = {};
    private static final Pattern ALERT = Pattern.compile("\\b(close_notify|unexpected_message|bad_record_mac|"
            + "record_overflow|handshake_failure|bad_certificate|unsupported_certificate|certificate_revoked|"
            + "certificate_expired|certificate_unknown|illegal_parameter|unknown_ca|decode_error|decrypt_error|"
            + "protocol_version|insufficient_security|internal_error|user_canceled|no_renegotiation|missing_extension|"
            + "unsupported_extension|unrecognized_name|certificate_required|no_application_protocol)\\b");

    private final SSLEngine engine;
    private final ByteArrayOutputStream outgoing = new ByteArrayOutputStream();
    private final ByteArrayOutputStream plain = new ByteArrayOutputStream();
    private final List<HandshakeStatus> statuses = new ArrayList<>();
    private ByteBuffer incoming = ByteBuffer.wrap(NOTHING);
    private ByteBuffer target = ByteBuffer.wrap(NOTHING);
    private @Nullable SSLException failure;

    EnginePeer(SSLEngine engine) {
        this.engine = engine;
    }

    SSLEngine engine() {
        return engine;
    }

    HandshakeStatus status() {
        return engine.getHandshakeStatus();
    }

    /** Returns the handshake status of each result, in order. */
    List<HandshakeStatus> statuses() {
        return statuses;
    }

    /** Returns how many results had a status. */
    long count(HandshakeStatus status) {
        return statuses.stream().filter(status::equals).count();
    }

    /** Returns the first exception of {@link #step}. */
    @Nullable
    SSLException failure() {
        return failure;
    }

    /** Returns the name of the alert that the failure's message has; empty for none. */
    String alert() {
        String message = failure == null ? "" : String.valueOf(failure.getMessage());
        Matcher matcher = ALERT.matcher(message);
        return matcher.find() ? matcher.group() : "";
    }

    /** Wraps nothing: a record of the handshake or an alert. */
    SSLEngineResult wrap() throws SSLException {
        return wrap(NOTHING);
    }

    /** Wraps data and queues what is to be sent. */
    SSLEngineResult wrap(byte[] data) throws SSLException {
        return wrap(ByteBuffer.wrap(data));
    }

    /** Wraps data and queues what is to be sent. */
    SSLEngineResult wrap(ByteBuffer data) throws SSLException {
        ByteBuffer room = room(engine.getSession().getPacketBufferSize());
        SSLEngineResult result = engine.wrap(data, room);
        statuses.add(result.getHandshakeStatus());
        append(room, outgoing);
        return result;
    }

    /** Unwraps at most one record of those received, and keeps its data. */
    SSLEngineResult unwrap() throws SSLException {
        ByteBuffer room = room(engine.getSession().getApplicationBufferSize());
        SSLEngineResult result = engine.unwrap(incoming, room);
        statuses.add(result.getHandshakeStatus());
        append(room, plain);
        return result;
    }

    private static void append(ByteBuffer room, ByteArrayOutputStream bytes) {
        byte[] produced = new byte[room.flip().remaining()];
        room.get(produced);
        bytes.writeBytes(produced);
    }

    private ByteBuffer room(int bytes) {
        if (target.capacity() < bytes) {
            target = ByteBuffer.allocate(bytes);
        }
        return target.clear();
    }

    /** Runs the delegated tasks that there are, and returns their number. */
    int runTasks() {
        int count = 0;
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
            count++;
        }
        return count;
    }

    /** Wraps all of some data. */
    void send(byte[] data) throws SSLException {
        ByteBuffer source = ByteBuffer.wrap(data);
        while (source.hasRemaining()) {
            SSLEngineResult result = wrap(source);
            if (result.getStatus() != SSLEngineResult.Status.OK) {
                throw new AssertionError("wrap of data: " + result);
            }
        }
    }

    /** Returns the bytes to send, and forgets them. */
    byte[] takeOutgoing() {
        byte[] bytes = outgoing.toByteArray();
        outgoing.reset();
        return bytes;
    }

    /** Appends bytes to those received. */
    void receive(byte[] bytes) {
        ByteBuffer both = ByteBuffer.allocate(incoming.remaining() + bytes.length);
        incoming = both.put(incoming).put(bytes).flip();
    }

    /** Returns the bytes that were received and are not unwrapped. */
    ByteBuffer incoming() {
        return incoming;
    }

    /** Returns the decrypted data, and forgets it. */
    byte[] takePlain() {
        byte[] bytes = plain.toByteArray();
        plain.reset();
        return bytes;
    }

    /**
     * Does what the handshake status demands: one wrap, one unwrap, or the tasks.
     *
     * @return true if it changed something
     */
    boolean step() {
        try {
            HandshakeStatus before = status();
            return switch (before) {
                case NEED_TASK -> runTasks() > 0;
                case NEED_WRAP -> wrap().bytesProduced() > 0 || status() != before;
                default -> incoming.hasRemaining() && !engine.isInboundDone() && changedBy(unwrap(), before);
            };
        } catch (SSLException e) {
            boolean isFirst = failure == null;
            failure = isFirst ? e : failure;
            return isFirst;
        }
    }

    private boolean changedBy(SSLEngineResult result, HandshakeStatus before) {
        return result.bytesConsumed() > 0 || result.bytesProduced() > 0 || status() != before;
    }
}
