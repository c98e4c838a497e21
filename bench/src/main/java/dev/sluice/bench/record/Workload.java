package dev.sluice.bench.record;

import dev.sluice.tls.record.CipherSuite;
import java.util.Locale;

/**
 * The common work of all rows in one comparison.
 *
 * @param operation the operation on each record
 * @param suite the TLS 1.3 suite
 * @param bytes payload of each record
 */
public record Workload(Operation operation, CipherSuite suite, int bytes) {
    private static final int KIBI = 1024;

    /** Returns the name in the JSON lines. */
    public String name() {
        return String.join("-", "record", operation.word(), suite.aead().name().toLowerCase(Locale.ROOT), bytes + "")
                .replace('_', '-');
    }

    /** Returns the title for display. */
    public String title() {
        return suite.aead().opensslName() + ", " + operation.title() + ", " + size(bytes);
    }

    /** Returns a payload's size for display. */
    public static String size(int bytes) {
        return bytes % KIBI == 0 ? bytes / KIBI + " KiB" : bytes + " B";
    }
}
