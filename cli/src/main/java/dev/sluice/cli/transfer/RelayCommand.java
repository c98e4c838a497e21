package dev.sluice.cli.transfer;

import dev.sluice.cli.command.ExitCode;
import dev.sluice.cli.command.FigureText;
import dev.sluice.cli.command.RefusedException;
import dev.sluice.cli.command.Signals;
import dev.sluice.cli.command.StandardOptions;
import dev.sluice.config.json.Json;
import dev.sluice.config.yaml.Quantities;
import dev.sluice.transfer.meet.AddressText;
import dev.sluice.transfer.meet.MeetException;
import dev.sluice.transfer.meet.RelayAnswer;
import dev.sluice.transfer.meet.RelayLimits;
import dev.sluice.transfer.meet.RelayServer;
import dev.sluice.transfer.meet.RelayTotals;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command that joins pairs of machines that cannot reach each other directly. */
@Command(
        name = "relay",
        description = "Joins pairs of machines that run sluice send --relay and sluice receive --relay, and passes on "
                + "their ciphertext, until it is stopped; then waits for the pairs that are left. Anybody who reaches "
                + "it can use it, within its limits.",
        footer = {"", "Exit code: 0 when stopped by SIGINT or SIGTERM, 75 when the address is in use, 2 when refused."})
public final class RelayCommand implements Callable<Integer> {
    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            defaultValue = "0.0.0.0:4775",
            description = "The address to listen on. Default: ${DEFAULT-VALUE}")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String listen;

    @Option(
            names = "--grace",
            paramLabel = "TIME",
            defaultValue = "30s",
            description =
                    "The most time for the pairs that are left at the end, such as 10m. Default: " + "${DEFAULT-VALUE}")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String grace;

    @Option(names = "--json", description = "Write events and counters as lines of JSON.")
    private boolean json;

    @Option(
            names = "--waiting-per-address",
            paramLabel = "N",
            description = "Machines of one address (IPv4) or /64 network (IPv6) that wait. Default: 16")
    private @Nullable Integer waitingPerAddress;

    @Option(names = "--pairs-per-address", paramLabel = "N", description = "Joined pairs of one address. Default: 16")
    private @Nullable Integer pairsPerAddress;

    @Option(
            names = "--rate-per-address",
            paramLabel = "SIZE",
            description = "Bytes per second of one address; a faster sender is slowed down. Default: 60 MB")
    private @Nullable String ratePerAddress;

    @Option(
            names = "--daily-per-address",
            paramLabel = "SIZE",
            description = "Bytes of one address in 24 hours; pairs above it are ended. Default: 200GiB")
    private @Nullable String dailyPerAddress;

    @Option(
            names = "--requests-per-minute",
            paramLabel = "N",
            description = "Connections of one address per minute. Default: 120")
    private @Nullable Integer requests;

    @Option(names = "--waiting", paramLabel = "N", description = "Machines that wait, in all. Default: 1024")
    private @Nullable Integer waiting;

    @Option(names = "--pairs", paramLabel = "N", description = "Joined pairs, in all. Default: 256")
    private @Nullable Integer pairs;

    @Option(names = "--rate", paramLabel = "SIZE", description = "Bytes per second, in all. Default: 120 MB")
    private @Nullable String rate;

    @Option(names = "--daily", paramLabel = "SIZE", description = "Bytes in 24 hours, in all. Default: 2048GiB")
    private @Nullable String daily;

    @Mixin
    private final StandardOptions standard = new StandardOptions();

    @Override
    public Integer call() throws InterruptedException, MeetException {
        RelayLimits limits = limits();
        Duration most = grace();
        CountDownLatch stopped = new CountDownLatch(1);
        try (RelayServer relay = RelayServer.start(PeerAddresses.toListen(listen), limits)) {
            Signals.onTerminate(stopped::countDown);
            reportStart(AddressText.of(relay.address()), limits);
            stopped.await();
            reportDrain(most);
            reportEnd(relay.drain(most));
        }
        return ExitCode.OK;
    }

    // ---- options

    private RelayLimits limits() {
        RelayLimits.Share one = RelayLimits.DEFAULT.perAddress();
        RelayLimits.Share all = RelayLimits.DEFAULT.inAll();
        try {
            return RelayLimits.DEFAULT
                    .withPerAddress(new RelayLimits.Share(
                            or(waitingPerAddress, one.waitingPeers()),
                            or(pairsPerAddress, one.joinedPairs()),
                            size("--rate-per-address", ratePerAddress, one.bytesPerSecond()),
                            size("--daily-per-address", dailyPerAddress, one.bytesPerDay())))
                    .withInAll(new RelayLimits.Share(
                            or(waiting, all.waitingPeers()),
                            or(pairs, all.joinedPairs()),
                            size("--rate", rate, all.bytesPerSecond()),
                            size("--daily", daily, all.bytesPerDay())))
                    .withRequestsPerMinute(or(requests, RelayLimits.DEFAULT.requestsPerMinute()));
        } catch (IllegalArgumentException bad) {
            throw new RefusedException("limits rejected: " + bad.getMessage());
        }
    }

    private static int or(@Nullable Integer value, int byDefault) {
        return value == null ? byDefault : value;
    }

    private static long size(String option, @Nullable String text, long byDefault) {
        if (text == null) {
            return byDefault;
        }
        long bytes = Quantities.bytes(text);
        if (bytes <= 0) {
            throw new RefusedException(option + " " + text + " is no size; write it such as 500KiB or 10MiB");
        }
        return bytes;
    }

    private Duration grace() {
        Duration parsed = Quantities.duration(grace);
        if (parsed == null) {
            throw new RefusedException("--grace " + grace + " is no time; write it such as 30s or 10m");
        }
        return parsed;
    }

    // ---- report

    private void reportStart(String address, RelayLimits limits) {
        if (json) {
            println(Json.compact(event("relaying", "address", address)));
        } else {
            println("Relaying on " + address + ". Ctrl-C ends it.\n"
                    + "  one address: " + text(limits.perAddress()) + ", " + limits.requestsPerMinute()
                    + " requests per minute\n"
                    + "  all:         " + text(limits.inAll()));
        }
    }

    private static String text(RelayLimits.Share share) {
        double perSecond = (double) share.bytesPerSecond();
        double perDay = (double) share.bytesPerDay();
        return share.waitingPeers() + " waiting, " + share.joinedPairs() + " pairs, " + FigureText.bytes(perSecond)
                + "/s, " + FigureText.bytes(perDay) + " a day";
    }

    private void reportDrain(Duration most) {
        String limit = Quantities.text(most);
        println(
                json
                        ? Json.compact(event("draining", "grace", limit))
                        : "Draining: waits at most " + limit + " for the pairs that are left");
    }

    private void reportEnd(RelayTotals totals) {
        if (!json) {
            println(totals.line());
            return;
        }
        Map<String, Object> line = event("summary", "accepted", totals.accepted());
        line.put("joined", totals.joined());
        line.put("bytes", totals.bytes());
        line.put("expired", totals.expired());
        for (RelayAnswer answer : RelayAnswer.values()) {
            Long count = totals.refused().get(answer);
            if (count != null) {
                line.put("refused_" + answer.label(), count);
            }
        }
        println(Json.compact(line));
    }

    private static Map<String, Object> event(String name, String member, Object value) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("event", name);
        line.put(member, value);
        return line;
    }

    private void println(String line) {
        PrintWriter out = standard.out();
        out.println(line);
        out.flush();
    }
}
