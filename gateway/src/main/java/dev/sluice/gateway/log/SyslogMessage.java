package dev.sluice.gateway.log;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.sluice.config.log.LogConfig;
import dev.sluice.config.log.LogLevel;
import java.io.ByteArrayOutputStream;

/**
 * Messages of syslog (RFC 5424), one a datagram.
 *
 * <pre>
 *   &lt;PRIORITY&gt;1 TIMESTAMP HOSTNAME APP-NAME PROCID MSGID STRUCTURED-DATA MSG
 *   &lt;28&gt;1 2026-11-21T06:30:00.000Z edge1 sluice 4711 handshake_timeout - 198.51.100.7:52114 handshake_timeout: …
 * </pre>
 *
 * <p>MSGID is the failure's reason. There are no structured data: names of one's own need a number that IANA assigns.
 */
final class SyslogMessage {
    /** The longest message: what rsyslog and syslog-ng take unless configured otherwise. */
    static final int BYTES_MAX = 8 * 1024;

    private static final int HOSTNAME_MAX = 255;
    private static final int MSGID_MAX = 32;
    private static final int FACILITY_FACTOR = 8;
    private static final int ERROR = 3;
    private static final int WARNING = 4;
    private static final int INFORMATIONAL = 6;

    private final String hostname;
    private final long process;

    SyslogMessage(String hostname, long process) {
        this.hostname = token(hostname, HOSTNAME_MAX);
        this.process = process;
    }

    /** Returns a level as syslog counts, also in the journal's PRIORITY (RFC 5424, section 6.2.1). */
    static int severity(LogLevel level) {
        return switch (level) {
            case INFO -> INFORMATIONAL;
            case WARN -> WARNING;
            case ERROR -> ERROR;
        };
    }

    byte[] encode(LogEntry entry, LogConfig config) {
        LoggedFailure failure = entry.failure();
        int priority = config.facility().code() * FACILITY_FACTOR + severity(entry.level());
        String header = "<" + priority + ">1 " + LogForm.TIME.format(entry.time()) + ' ' + hostname + " sluice "
                + process + ' ' + token(failure == null ? "" : failure.reason(), MSGID_MAX) + " - ";
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        message.writeBytes(header.getBytes(US_ASCII));
        message.writeBytes(LogForm.message(entry, config.format(), BYTES_MAX - header.length()));
        return message.toByteArray();
    }

    /** Returns a field of the header: printable ASCII without spaces, or "-". */
    private static String token(String text, int most) {
        String token = text.replaceAll("[^!-~]", "_");
        return token.isEmpty() ? "-" : token.substring(0, Math.min(token.length(), most));
    }
}
