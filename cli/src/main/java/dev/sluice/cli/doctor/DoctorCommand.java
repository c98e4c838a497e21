package dev.sluice.cli.doctor;

import dev.sluice.cli.command.ExitCode;
import dev.sluice.cli.command.RefusedException;
import dev.sluice.cli.command.StandardOptions;
import dev.sluice.config.yaml.Quantities;
import dev.sluice.cost.figures.CostException;
import dev.sluice.cost.figures.CostProfileFile;
import dev.sluice.doctor.Doctor;
import dev.sluice.doctor.MeasuredCosts;
import dev.sluice.doctor.NativeDoctor;
import dev.sluice.doctor.audit.DoctorOptions;
import dev.sluice.doctor.audit.ServerCosts;
import dev.sluice.doctor.finding.DoctorReport;
import dev.sluice.doctor.finding.ReportWriter;
import dev.sluice.doctor.probe.DoctorLimits;
import dev.sluice.doctor.probe.StartTls;
import dev.sluice.doctor.probe.Target;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that audits a TLS endpoint, or the native side of this machine. */
@Command(
        name = "doctor",
        description = {
            "Audits a TLS endpoint: reports faults and avoidable costs, ordered by effect, with the configuration "
                    + "line that fixes each; then all observations.",
            "It makes 30 to 100 connections, at most as many per second as --rate says, to the addresses of the "
                    + "endpoint, and sends a GET for / if the server supports HTTP.",
            "With --native: the OpenSSL in use with its features, io_uring, limits, kernel TLS."
        },
        footer = {
            "",
            "Exit code: 0 with notes at most, 3 with warnings, 4 with faults; 2 when refused. docs/doctor.md explains "
                    + "each finding."
        })
public final class DoctorCommand implements Callable<Integer> {
    private static final int MOST_PER_SECOND = 1_000;

    @Parameters(
            arity = "0..1",
            paramLabel = "HOST:PORT",
            description = "The endpoint; the default port is 443, or that of the --starttls protocol.")
    private @Nullable String endpoint;

    @Option(names = "--native", description = "Examine this machine instead of an endpoint.")
    private boolean local;

    @Option(
            names = "--sni",
            paramLabel = "NAME",
            description = "Request this server name, and expect its " + "certificate.")
    private String sni = "";

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description = "PEM file of trusted authorities, instead of the system's.")
    private List<Path> authorities = new ArrayList<>();

    @Option(names = "--starttls", paramLabel = "PROTOCOL", description = "Speak smtp, imap or postgres first.")
    private String startTls = "";

    @Option(names = "--http", description = "Send the GET even if ALPN does not indicate HTTP.")
    private boolean http;

    @Option(
            names = "--early-data",
            description = "If early data is allowed, send a POST for / in it to test whether the server processes it.")
    private boolean earlyData;

    @Option(names = "--watch", paramLabel = "TIME", description = "Watch the ticket key for this long, such as 24h.")
    private @Nullable String watch;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "5",
            description = "Maximum new connections per second (default: ${DEFAULT-VALUE}).")
    private int rate;

    @Option(
            names = "--costs",
            paramLabel = "FILE",
            description =
                    "Estimate the server's CPU from the figures of sluice cost. Default: its usual file, or else the"
                            + " figures of docs/benchmarks/handshakes.md.")
    private @Nullable Path costs;

    @Option(names = "--json", description = "Write one JSON document to standard output.")
    private boolean json;

    @Option(names = "--junit", paramLabel = "FILE", description = "Write JUnit's XML to a file, too.")
    private @Nullable Path junit;

    @Mixin
    private final StandardOptions standard = new StandardOptions();

    @Override
    public Integer call() throws IOException {
        DoctorReport report = local ? NativeDoctor.examine() : audit();
        PrintWriter out = standard.out();
        out.print(json ? ReportWriter.json(report) : ReportWriter.text(report));
        out.flush();
        if (junit != null) {
            Files.writeString(junit, ReportWriter.junit(report));
        }
        return switch (report.severity()) {
            case FINE, NOTE -> ExitCode.OK;
            case WARNING -> ExitCode.WARNINGS;
            case FAULT -> ExitCode.FAULTS;
        };
    }

    private DoctorReport audit() {
        if (endpoint == null) {
            throw new RefusedException(
                    "nothing to audit; name an endpoint, such as: sluice doctor example.com:443, or use" + " --native");
        }
        try {
            Target target = Target.parse(endpoint, sni, StartTls.parse(startTls));
            return Doctor.audit(target, options());
        } catch (IllegalArgumentException | CostException bad) {
            throw new RefusedException(String.valueOf(bad.getMessage()));
        }
    }

    private DoctorOptions options() {
        if (rate < 1 || rate > MOST_PER_SECOND) {
            throw new IllegalArgumentException("--rate " + rate + " is not from 1 to " + MOST_PER_SECOND);
        }
        Duration time = watch == null ? Duration.ZERO : Quantities.duration(watch);
        if (time == null) {
            throw new IllegalArgumentException("--watch " + watch + " is no duration; write it such as 10m or 24h");
        }
        return new DoctorOptions(
                DoctorLimits.DEFAULT.withConnectionsPerSecond(rate), authorities, http, earlyData, time, measured());
    }

    private ServerCosts measured() {
        if (costs != null) {
            return MeasuredCosts.read(costs);
        }
        Path usual = CostProfileFile.usual();
        return Files.isReadable(usual) ? MeasuredCosts.read(usual) : ServerCosts.OF_BENCHMARKS;
    }
}
