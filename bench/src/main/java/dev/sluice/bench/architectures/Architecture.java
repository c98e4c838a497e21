package dev.sluice.bench.architectures;

import dev.sluice.bench.record.Row;
import java.util.List;

/**
 * The four ways of the article "Your TLS Stack Is Lying to You About Zero-Copy" (A. Przychocki, 2026-05-01), with the
 * row here that does the same and the published figures.
 *
 * <p>The article prints one rate for each, which is the mean of its run's four payloads. The figures of each payload
 * are those of the run that it names (exeris-benchmarks, commit f778683, 20260501-123118-all, phase baseline): rates of
 * sealing, and medians of sealing and opening. The run counts the halves of a round trip as two operations, except on
 * sockets; here each is a whole one.
 */
@SuppressWarnings("ImmutableEnumChecker") // rows are records, and the lists unmodifiable
enum Architecture {
    /** The JDK's engine; the article's table says heap, its run has direct buffers. */
    JDK(
            "JDK SSLEngine",
            Row.JDK_DIRECT,
            new Printed(905, 2528),
            List.of(1776.278, 1155.254, 525.564, 166.323),
            List.of(1.222, 1.824, 3.836, 11.984),
            "JDK 26 there; 16,367 bytes in its largest record"),
    /** Netty's handler in an embedded channel. */
    NETTY(
            "Netty tcnative",
            Row.NETTY_PIPELINE,
            new Printed(850, 560),
            List.of(1213.514, 1042.972, 771.766, 372.648),
            List.of(1.954, 2.212, 2.904, 5.8),
            "Netty 4.1 there; BoringSSL cannot be given AES-256, which the JDK has there"),
    /** libssl over memory. */
    MEMORY_BIO(
            "Exeris Memory BIO",
            Row.MEMORY,
            new Printed(923, 0),
            List.of(1583.151, 1204.583, 677.809, 228.926),
            List.of(1.152, 1.552, 2.892, 8.72),
            "Sluice's MemoryEngine in its place; suite and OpenSSL not published"),
    /** libssl on a socket. */
    FD_OWNER(
            "Exeris FD Owner",
            Row.DESCRIPTOR,
            new Printed(365, 0),
            List.of(575.895, 465.812, 297.281, 122.513),
            List.of(9.12, 9.456, 10.976, 16.736),
            "Sluice's DescriptorEngine in its place; there another thread reads what is sealed");

    /** The payloads of the lists. */
    static final List<Integer> PAYLOADS = List.of(128, 1024, 4096, 16_384);

    private final String title;
    private final Row row;
    private final Printed printed;
    private final List<Double> thousandsPerSecond;
    private final List<Double> roundTripMicros;
    private final String difference;

    Architecture(
            String title,
            Row row,
            Printed printed,
            List<Double> thousandsPerSecond,
            List<Double> roundTripMicros,
            String difference) {
        this.title = title;
        this.row = row;
        this.printed = printed;
        this.thousandsPerSecond = thousandsPerSecond;
        this.roundTripMicros = roundTripMicros;
        this.difference = difference;
    }

    /**
     * A row of the article's table.
     *
     * @param thousandsPerSecond thousands of records sealed per second
     * @param heapBytes bytes allocated on the heap for a record of 1 KiB
     */
    record Printed(double thousandsPerSecond, double heapBytes) {}

    /** Returns the article's name. */
    String title() {
        return title;
    }

    /** Returns the row here. */
    Row row() {
        return row;
    }

    Printed printed() {
        return printed;
    }

    /** Returns the published rate of sealing, in thousands of records per second. */
    double thousandsPerSecond(int payload) {
        return thousandsPerSecond.get(PAYLOADS.indexOf(payload));
    }

    /** Returns the published median of sealing and opening, in microseconds. */
    double roundTripMicros(int payload) {
        return roundTripMicros.get(PAYLOADS.indexOf(payload));
    }

    /** Returns the known difference between what was published and what is measured here. */
    String difference() {
        return difference;
    }
}
