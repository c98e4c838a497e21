package dev.sluice.bench.architectures;

import dev.sluice.bench.claims.Claim;
import dev.sluice.bench.harness.Table;
import dev.sluice.bench.record.Operation;
import dev.sluice.bench.record.RecordTreatment;
import dev.sluice.bench.record.Workload;
import dev.sluice.cost.figures.Numbers;
import dev.sluice.tls.record.CipherSuite;
import java.util.List;
import java.util.StringJoiner;

/**
 * The published figures beside the measured ones. Rates of one architecture depend on the machine, so those of the
 * others are compared as multiples of the JDK's.
 */
final class PublishedMatrix {
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final int PRINTED_PAYLOAD = 1024;

    /** JMH's own allocations, spread over the records of a round, stay below it. */
    private static final double NOTHING_BYTES = 2;

    private static final List<Architecture> OTHERS =
            List.of(Architecture.NETTY, Architecture.MEMORY_BIO, Architecture.FD_OWNER);

    private final Measured measured;
    private final Table table =
            new Table(List.of("Published", "claimed", "measured here", "holds here", "why, or what differs"));

    PublishedMatrix(Measured measured) {
        this.measured = measured;
    }

    /** Returns the table of all published figures and claims. */
    Table table() {
        printedRates();
        printedBytes();
        statements();
        sealing();
        roundTrips();
        return table;
    }

    private void printedRates() {
        for (Architecture way : Architecture.values()) {
            table.row(List.of(
                    "the article's table: " + way.title() + ", thousand records/s",
                    Numbers.of(way.printed().thousandsPerSecond()),
                    "–",
                    "no such figure",
                    "the mean of four payloads, beside bytes for 1 KiB; its parts are compared below"));
        }
    }

    private void printedBytes() {
        for (Architecture way : Architecture.values()) {
            CipherSuite suite = way == Architecture.NETTY ? Measured.COMMON_SUITE : Measured.PUBLISHED_SUITE;
            double bytes = heapBytes(suite, way);
            double claimed = way.printed().heapBytes();
            String verdict = claimed > 0 ? Claim.of(claimed).verdict(bytes) : nothing(bytes);
            row("the article's table: " + way.title() + ", heap B per record of 1 KiB", claimed, bytes, verdict, way);
        }
    }

    private double heapBytes(CipherSuite suite, Architecture way) {
        Workload workload = new Workload(Operation.SEAL, suite, PRINTED_PAYLOAD);
        return measured.median(workload, way.row(), RecordTreatment.HEAP);
    }

    private static String nothing(double bytes) {
        return Double.isNaN(bytes) ? "not measured" : bytes < NOTHING_BYTES ? "yes" : "no: more";
    }

    private void statements() {
        statement(
                "SSLEngine allocates more than it seals, at 1 KiB: multiples of the payload",
                2.5,
                heapBytes(Measured.PUBLISHED_SUITE, Architecture.JDK) / PRINTED_PAYLOAD);
        outpaces(Architecture.JDK);
        outpaces(Architecture.NETTY);
        double collections = measured.collections(Architecture.MEMORY_BIO.row());
        table.row(List.of(
                "Memory BIO: garbage collections in the whole run",
                "0",
                Numbers.of(collections),
                collections == 0 ? "yes" : "no: more",
                "the JDK's engine meanwhile: "
                        + Numbers.of(measured.collections(Architecture.JDK.row())) + "; Netty's pipeline: "
                        + Numbers.of(measured.collections(Architecture.NETTY.row()))));
    }

    private void statement(String what, double claimed, double found) {
        table.row(List.of(
                what, Numbers.of(claimed), figure(found), Claim.of(claimed).verdict(found), ""));
    }

    /** Adds the claim that the memory BIO seals faster than another way, which the means hide. */
    private void outpaces(Architecture other) {
        StringJoiner published = new StringJoiner(", ");
        StringJoiner here = new StringJoiner(", ");
        int wins = 0;
        for (int payload : Architecture.PAYLOADS) {
            double there = Architecture.MEMORY_BIO.thousandsPerSecond(payload) / other.thousandsPerSecond(payload);
            if (there > 1) {
                published.add(Workload.size(payload));
            }
            if (measured.ratio(Operation.SEAL, payload, Architecture.MEMORY_BIO.row(), other.row()) < 1) {
                here.add(Workload.size(payload));
                wins++;
            }
        }
        table.row(List.of(
                "Memory BIO outpaces " + other.title() + " at sealing",
                "always",
                here.length() == 0 ? "never" : here.toString(),
                wins == Architecture.PAYLOADS.size() ? "yes" : "no",
                "in the published run only at " + published));
    }

    private void sealing() {
        for (int payload : Architecture.PAYLOADS) {
            String what = "seal " + Workload.size(payload) + ": ";
            double nanos = measured.nanos(Operation.SEAL, Measured.PUBLISHED_SUITE, payload, Architecture.JDK.row());
            claim(
                    what + Architecture.JDK.title() + ", thousand records/s",
                    Architecture.JDK.thousandsPerSecond(payload),
                    NANOS_PER_MILLI / nanos,
                    Architecture.JDK);
            for (Architecture way : OTHERS) {
                claim(
                        what + way.title() + ", × the JDK's rate",
                        way.thousandsPerSecond(payload) / Architecture.JDK.thousandsPerSecond(payload),
                        measured.ratio(Operation.SEAL, payload, Architecture.JDK.row(), way.row()),
                        way);
            }
        }
    }

    private void roundTrips() {
        for (int payload : Architecture.PAYLOADS) {
            String what = "seal + open " + Workload.size(payload) + ": ";
            double nanos = measured.nanos(Operation.BOTH, Measured.COMMON_SUITE, payload, Architecture.JDK.row());
            claim(
                    what + Architecture.JDK.title() + ", µs",
                    Architecture.JDK.roundTripMicros(payload),
                    nanos / NANOS_PER_MICRO,
                    Architecture.JDK);
            for (Architecture way : OTHERS) {
                claim(
                        what + way.title() + ", × the JDK's time",
                        way.roundTripMicros(payload) / Architecture.JDK.roundTripMicros(payload),
                        measured.ratio(Operation.BOTH, payload, way.row(), Architecture.JDK.row()),
                        way);
            }
        }
    }

    private void claim(String what, double claimed, double found, Architecture way) {
        row(what, claimed, found, Claim.of(claimed).verdict(found), way);
    }

    private void row(String what, double claimed, double found, String verdict, Architecture way) {
        table.row(List.of(what, Numbers.of(claimed), figure(found), verdict, way.difference()));
    }

    private static String figure(double found) {
        return Double.isNaN(found) ? "–" : Numbers.of(found);
    }
}
