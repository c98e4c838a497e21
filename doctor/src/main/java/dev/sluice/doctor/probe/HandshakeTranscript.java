package dev.sluice.doctor.probe;

import dev.sluice.doctor.wire.ByteReader;
import dev.sluice.doctor.wire.MalformedException;
import dev.sluice.doctor.wire.ServerHello;
import dev.sluice.ffi.openssl.MessageTap;
import dev.sluice.tls.failure.TlsAlert;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages that a server has sent on one connection, with their times. libssl has checked the messages before it
 * reports them, but they are parsed with the same distrust.
 */
public final class HandshakeTranscript {
    private static final int SERVER_HELLO = 2;
    private static final int NEW_SESSION_TICKET = 4;
    private static final int CERTIFICATE = 11;
    private static final int CERTIFICATE_REQUEST = 13;
    private static final int FINISHED = 20;
    private static final int CERTIFICATE_STATUS = 22;
    private static final int KEY_UPDATE = 24;
    private static final int STATUS_REQUEST = 5;
    private static final int OCSP = 1;
    private static final int FATAL = 2;
    private static final int APPLICATION_DATA = 23;

    private final long connectNanos;
    private final long beganNanos;
    private final List<byte[]> certificates = new ArrayList<>();
    private final List<Ticket> tickets = new ArrayList<>();
    private final List<Integer> recordBytes = new ArrayList<>();
    private byte @Nullable [] staple;
    private @Nullable ServerHello hello;
    private long helloNanos;
    private long certificateNanos;
    private long finishedNanos;
    private int flightBytes;
    private int certificateBytes;
    private int keyUpdates;
    private int alertReceived = -1;
    private boolean certificateRequested;
    private boolean closeNotify;
    private boolean endOfStream;
    private boolean reset;
    private boolean complete;

    HandshakeTranscript(long connectNanos, long beganNanos) {
        this.connectNanos = connectNanos;
        this.beganNanos = beganNanos;
    }

    /** Adds a message. */
    void add(MessageTap.Message message) {
        if (message.sent()) {
            return;
        }
        try {
            ByteReader reader = new ByteReader(message.bytes());
            if (message.type() == MessageTap.HANDSHAKE) {
                onHandshake(reader, message.nanos());
            } else if (message.type() == MessageTap.ALERT) {
                onAlert(reader);
            } else if (message.type() == MessageTap.RECORD_HEADER) {
                onRecord(reader);
            }
        } catch (MalformedException e) {
            // libssl rejects such messages itself, and its error is reported.
        }
    }

    private void onRecord(ByteReader header) throws MalformedException {
        int type = header.u8("type");
        header.u16("version");
        int length = header.u16("length");
        if (!complete) {
            flightBytes += length;
        } else if (type == APPLICATION_DATA) {
            recordBytes.add(length);
        }
    }

    private void onAlert(ByteReader alert) throws MalformedException {
        int level = alert.u8("level");
        int description = alert.u8("description");
        if (description == TlsAlert.CLOSE_NOTIFY.number()) {
            closeNotify = true;
        } else if (level == FATAL) {
            alertReceived = description;
        }
    }

    private void onHandshake(ByteReader message, long nanos) throws MalformedException {
        int type = message.u8("type");
        ByteReader body = message.vector24("message");
        switch (type) {
            case SERVER_HELLO -> onServerHello(ServerHello.parse(body), nanos);
            case CERTIFICATE -> onCertificate(body, nanos);
            case CERTIFICATE_STATUS -> onStatus(body);
            case CERTIFICATE_REQUEST -> certificateRequested = true;
            case NEW_SESSION_TICKET -> tickets.add(Ticket.parse(body, isTls13()));
            case FINISHED -> finishedNanos = nanos;
            case KEY_UPDATE -> keyUpdates++;
            default -> {
                // Irrelevant for the audit.
            }
        }
    }

    private void onServerHello(ServerHello received, long nanos) {
        if (!received.retry()) {
            hello = received;
            helloNanos = nanos;
        }
    }

    private void onCertificate(ByteReader body, long nanos) throws MalformedException {
        certificateNanos = nanos;
        certificateBytes = body.remaining();
        certificates.clear();
        if (isTls13()) {
            body.vector8("certificate_request_context");
        }
        ByteReader list = body.vector24("certificate_list");
        while (!list.isEmpty()) {
            certificates.add(list.vector24("certificate").rest());
            ByteReader extensions = isTls13() ? list.vector16("extensions") : new ByteReader(new byte[0]);
            while (!extensions.isEmpty()) {
                int extension = extensions.u16("extension_type");
                ByteReader content = extensions.vector16("extension_data");
                if (extension == STATUS_REQUEST && certificates.size() == 1) {
                    onStatus(content);
                }
            }
        }
    }

    private void onStatus(ByteReader body) throws MalformedException {
        if (body.u8("status_type") == OCSP) {
            staple = body.vector24("ocsp_response").rest();
        }
    }

    private boolean isTls13() {
        return hello != null && hello.version() == 0x0304;
    }

    void completed(long nanos) {
        complete = true;
        if (finishedNanos == 0) {
            finishedNanos = nanos;
        }
    }

    void endOfStream() {
        endOfStream = true;
    }

    void reset() {
        reset = true;
    }

    boolean isComplete() {
        return complete;
    }

    /** Returns the next expected step. */
    Step awaited() {
        if (complete) {
            return Step.ANSWER;
        }
        if (hello == null) {
            return Step.SERVER_HELLO;
        }
        return certificates.isEmpty() ? Step.CERTIFICATE : Step.FINISHED;
    }

    /** Returns the certificates in order, DER; none for a resumed session. */
    public List<byte[]> certificates() {
        return List.copyOf(certificates);
    }

    /** Returns the size of the message with the certificates. */
    public int certificateBytes() {
        return certificateBytes;
    }

    /** Returns the size of the server's records before the handshake was complete. */
    public int flightBytes() {
        return flightBytes;
    }

    /** Returns the OCSP response for the first certificate, DER; null for none. */
    public byte @Nullable [] staple() {
        return staple;
    }

    public List<Ticket> tickets() {
        return List.copyOf(tickets);
    }

    /** Returns the lengths of the application-data records after the handshake, including tickets. */
    public List<Integer> recordBytes() {
        return List.copyOf(recordBytes);
    }

    public int keyUpdates() {
        return keyUpdates;
    }

    /** Returns the received fatal alert; −1 for none. */
    int alertReceived() {
        return alertReceived;
    }

    public boolean certificateRequested() {
        return certificateRequested;
    }

    public boolean closeNotify() {
        return closeNotify;
    }

    /** Returns whether the server has ended its direction. */
    public boolean hasEnded() {
        return endOfStream || reset;
    }

    /** Returns whether the connection broke. */
    public boolean wasReset() {
        return reset;
    }

    /** Returns the time of each step, from the start of the connection. */
    public Timing timing() {
        return new Timing(micros(connectNanos), since(helloNanos), since(certificateNanos), since(finishedNanos));
    }

    private long since(long nanos) {
        return nanos == 0 ? 0 : micros(nanos - beganNanos);
    }

    private static long micros(long nanos) {
        return nanos / 1_000;
    }

    /**
     * Times in microseconds.
     *
     * @param tcp from SYN to the established connection
     * @param serverHello from there to ServerHello
     * @param certificate to the certificate; 0 where none came
     * @param finished to the server's Finished
     */
    public record Timing(long tcp, long serverHello, long certificate, long finished) {}
}
