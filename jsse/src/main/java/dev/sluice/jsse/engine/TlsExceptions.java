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

    /** Returns the exception of a handshake that application code or its settings have refused, with its alert. */
    static SSLHandshakeException refusal(int alert, @Nullable String text, @Nullable Throwable cause) {
        SSLHandshakeException made = new SSLHandshakeException(withAlert(alert, text));
        if (cause != null) {
            made.initCause(cause);
        }
        return made;
    }

    /**
     * Returns the exception for a failure.
     *
     * @param cause what a manager or a selector of the application was answered with; null for none
     * @param handshaking whether the handshake was under way
     */
    static SSLException of(TlsFailure failure, @Nullable SSLException cause, boolean handshaking) {
        return cause == null ? classified(failure, handshaking) : cause;
    }

    private static SSLException classified(TlsFailure failure, boolean handshaking) {
        if (failure.reason() == EndReason.NOT_TLS || failure.reason() == EndReason.HTTP_REQUEST) {
            return new SSLException("Unsupported or unrecognized SSL message: " + failure.message());
        }
        String received = "Received fatal alert: " + TlsAlert.label(failure.alert());
        if (failure.reason() == EndReason.CLOSED_IN_HANDSHAKE) {
            return new SSLProtocolException("(unexpected_message) Received close_notify during handshake");
        }
        String text = withAlert(failure.alert(), failure.reason().isAlertReceived() ? received : failure.message());
        if (failure.alert() == UNEXPECTED_MESSAGE) {
            return new SSLProtocolException(text);
        }
        return handshaking || (failure.reason().isAlertReceived() && isOfHandshake(failure.alert()))
                ? new SSLHandshakeException(text)
                : new SSLException(text);
    }

    /** Returns a message in the form of SunJSSE's: the alert that was sent or received, then the text. */
    static String withAlert(int alert, @Nullable String text) {
        return alert == TlsAlert.NONE ? String.valueOf(text) : "(" + TlsAlert.label(alert) + ") " + text;
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
