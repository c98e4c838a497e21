package dev.sluice.jsse.engine;

import dev.sluice.tls.failure.EndReason;
import dev.sluice.tls.failure.TlsAlert;
import dev.sluice.tls.failure.TlsFailure;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLProtocolException;
import org.jspecify.annotations.Nullable;

/** The exceptions of failures, of the classes that SunJSSE throws. */
final class TlsExceptions {
    private static final int UNEXPECTED_MESSAGE = 10;

    private TlsExceptions() {}

    /**
     * Returns the exception for a failure.
     *
     * @param cause what a manager or a selector of the application threw; null for none
     * @param handshaking whether the handshake was under way
     */
    static SSLException of(TlsFailure failure, @Nullable Throwable cause, boolean handshaking) {
        if (cause instanceof SSLException known) {
            return known;
        }
        String text = cause == null || cause.getMessage() == null ? failure.message() : cause.getMessage();
        SSLException made = classified(failure, text, handshaking);
        if (cause != null) {
            made.initCause(cause);
        }
        return made;
    }

    private static SSLException classified(TlsFailure failure, String text, boolean handshaking) {
        if (failure.reason() == EndReason.NOT_TLS || failure.reason() == EndReason.HTTP_REQUEST) {
            return new SSLException("Unsupported or unrecognized SSL message: " + text);
        }
        if (failure.reason().isAlertReceived()) {
            return ofAlert(failure.alert(), "Received fatal alert: " + TlsAlert.label(failure.alert()), handshaking);
        }
        if (failure.reason() == EndReason.CLOSED_IN_HANDSHAKE) {
            return new SSLProtocolException("Received close_notify during handshake");
        }
        if (failure.alert() == UNEXPECTED_MESSAGE) {
            return new SSLProtocolException(text);
        }
        return handshaking ? new SSLHandshakeException(text) : new SSLException(text);
    }

    private static SSLException ofAlert(int alert, String text, boolean handshaking) {
        if (alert == UNEXPECTED_MESSAGE) {
            return new SSLProtocolException(text);
        }
        return handshaking || isOfHandshake(alert) ? new SSLHandshakeException(text) : new SSLException(text);
    }

    /** Returns whether an alert is about the handshake: in TLS 1.3 one may come after it. */
    private static boolean isOfHandshake(int alert) {
        return switch (alert) {
            case 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 70, 71, 109, 110, 111, 112, 113, 114, 115, 116, 120 ->
                true;
            default -> false;
        };
    }
}
