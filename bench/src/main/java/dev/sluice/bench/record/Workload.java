package dev.sluice.bench.record;

import dev.sluice.tls.record.CipherSuite;
import java.util.Locale;

/**
 * What all rows do in one comparison.
 *
 * @param operation what is done with each record
 * @param suite of TLS 1.3
 * @param bytes of payload in each record
 */
record Workload(Operation operation, CipherSuite suite, int bytes) {
    private static final int KIBI = 1024;

    /** The name in the JSON lines. */
    String name() {
        return String.join("-", "record", operation.word(), suite.aead().name().toLowerCase(Locale.ROOT), bytes + "")
                .replace('_', '-');
    }

    /** For people. */
    String title() {
        return suite.aead().opensslName() + ", " + operation.title() + ", " + size(bytes);
    }

    static String size(int bytes) {
        return bytes % KIBI == 0 ? bytes / KIBI + " KiB" : bytes + " B";
    }
}
