package dev.sluice.gateway.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.config.log.LogConfig;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Entries of systemd's journal by its native protocol, one a datagram. A field has one of the forms below.
 *
 * <pre>
 *   NAME \n  length of the value, 64 bits little-endian  value \n
 * </pre>
 *
 * <p>so that no value can end its field. Source: systemd's documentation, "Native Journal Protocol".
 */
final class JournalMessage {
    /** The longest MESSAGE: with the other fields well below the limit of a datagram, net.core.wmem_default. */
    static final int MESSAGE_BYTES_MAX = 48 * 1024;

    private static final int FIELD_BYTES_MAX = 1024;

    private JournalMessage() {}

    static byte[] encode(LogEntry entry, LogConfig config) {
        ByteArrayOutputStream fields = new ByteArrayOutputStream();
        field(fields, "MESSAGE", LogForm.message(entry, config.format(), MESSAGE_BYTES_MAX));
        field(fields, "PRIORITY", SyslogMessage.severity(entry.level()));
        field(fields, "SYSLOG_FACILITY", config.facility().code());
        field(fields, "SYSLOG_IDENTIFIER", "sluice");
        LoggedFailure failure = entry.failure();
        if (failure != null) {
            field(fields, "SLUICE_REASON", LineText.of(failure.reason()));
            field(fields, "SLUICE_FAULT", LogForm.word(failure.fault()));
            field(fields, "SLUICE_CONNECTION", LineText.of(failure.connection()));
        }
        return fields.toByteArray();
    }

    private static void field(ByteArrayOutputStream to, String name, int value) {
        field(to, name, Integer.toString(value));
    }

    private static void field(ByteArrayOutputStream to, String name, String value) {
        field(to, name, LineText.utf8(value, FIELD_BYTES_MAX));
    }

    private static void field(ByteArrayOutputStream to, String name, byte[] bytes) {
        to.writeBytes(name.getBytes(UTF_8));
        to.write('\n');
        to.writeBytes(ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(bytes.length)
                .array());
        to.writeBytes(bytes);
        to.write('\n');
    }
}
