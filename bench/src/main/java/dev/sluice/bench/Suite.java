package dev.sluice.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The suites: each is one command, one question, and one file of results. */
@SuppressWarnings("ImmutableEnumChecker") // the lists are unmodifiable, and the suppliers constructors
enum Suite {
    /** The gateway and its peers. */
    TERMINATOR(
            "What does the gateway cost per byte, message, handshake and connection beside nginx, HAProxy and hitch?",
            new Minutes(4, 17),
            TerminatorCommand::new),
    /** One record. */
    RECORD(
            "What does a TLS record cost to seal and open beside libssl, the JDK and Netty?",
            new Minutes(2, 6),
            RecordCommand::new),
    /** A published comparison. */
    ARCHITECTURES(
            "How do ways to run TLS in a JVM compare, by payload, and does a published comparison hold?",
            new Minutes(3, 10),
            ArchitecturesCommand::new),
    /** The provider of JSSE. */
    JSSE(
            "What do Sluice's SSLEngine and SSLSocket cost beside the JDK's, Netty's tcnative and Conscrypt?",
            new Minutes(3, 15),
            JsseCommand::new),
    /** The event loops. */
    ECHO(
            "What do the event loops cost per message without TLS, beside java.nio and Netty?",
            new Minutes(1, 6),
            EchoCommand::new),
    /** Buffers and foreign calls. */
    BUFFERS(
            "What does a buffer cost by the way it is allocated, and a call into C by its kind?",
            new Minutes(4, 20),
            BuffersCommand::new),
    /** Secure channels, and what moves over them. */
    TRANSFER(
            "What do channels, pulls of files, calls and mounts carry beside the tools that people use?",
            new Minutes(8, 60),
            TransferCommand::new),
    /** The cost of handshakes. */
    HANDSHAKES(
            "What does a handshake cost by version, kind and certificate?",
            new Minutes(1, 2.5),
            HandshakesCommand::new),
    /** A storm of handshakes. */
    STORM(
            "What do established connections feel of a storm of handshakes, beside nginx and HAProxy?",
            new Minutes(1, 9),
            StormCommand::new),
    /** Resting connections. */
    IDLE(
            "What do hundreds of thousands of resting connections cost the gateway, and fewer beside nginx?",
            new Minutes(2, 15),
            IdleCommand::new),
    /** The capacity plan. */
    PLAN("Does the capacity plan predict what the gateway takes?", new Minutes(0.5, 2), PlanCommand::new),
    /** The cost of metrics. */
    METRICS("What do metrics and their scrapes cost the gateway?", new Minutes(1, 3), MetricsCommand::new),
    /** Memory over time. */
    SOAK(
            "Does data on established connections leave the heap and resident memory as they were?",
            new Minutes(0.5, 1),
            SoakCommand::new,
            "--gigabytes",
            "2",
            "--messages",
            "400000",
            "--connections",
            "4000"),
    /** Hostile clients. */
    HOSTILE("Do hostile clients leave anything behind in the gateway?", new Minutes(2, 10), HostileCommand::new),
    /** Many certificates. */
    CERTIFICATES(
            "What do start and memory cost with thousands of certificates?",
            new Minutes(0.2, 0.5),
            CertificatesCommand::new,
            "--count",
            "1000",
            "--asked",
            "100"),
    /** A published experiment. */
    EXPERIMENT(
            "How does a published experiment on the four regimes of TLS come out here?",
            new Minutes(0.2, 0.5),
            ExperimentCommand::new);

    private static final String QUICK = "--quick";
    private static final int SECONDS_PER_MINUTE = 60;

    private final String question;
    private final Minutes duration;
    private final Supplier<Object> command;
    private final List<String> quickArguments;

    /** Declares a suite; without {@code quickArguments} its command has the option --quick. */
    Suite(String question, Minutes duration, Supplier<Object> command, String... quickArguments) {
        this.question = question;
        this.duration = duration;
        this.command = command;
        this.quickArguments = quickArguments.length == 0 ? List.of(QUICK) : List.of(quickArguments);
    }

    /** The duration of a quick run and of a whole one, in minutes. */
    private record Minutes(double quick, double whole) {}

    /** Returns the suite of a name, if there is one. */
    static Optional<Suite> named(String name) {
        return Arrays.stream(values())
                .filter(suite -> suite.label().equals(name))
                .findFirst();
    }

    /** Returns the questions of all suites, by name. */
    static Map<String, String> questions() {
        return Arrays.stream(values()).collect(Collectors.toMap(Suite::label, Suite::question));
    }

    /** Returns the name in commands and results. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns what is measured, in a sentence. */
    String question() {
        return question;
    }

    /** Returns the duration of a run as text. */
    String duration(boolean quick) {
        double minutes = quick ? duration.quick : duration.whole;
        return minutes < 1
                ? String.format(Locale.ROOT, "%.0f s", minutes * SECONDS_PER_MINUTE)
                : String.format(Locale.ROOT, minutes == Math.rint(minutes) ? "%.0f min" : "%.1f min", minutes);
    }

    /** Returns the duration of a run in minutes. */
    double minutes(boolean quick) {
        return quick ? duration.quick : duration.whole;
    }

    /** Returns a new instance of the command that runs it. */
    Object command() {
        return command.get();
    }

    /** Returns the arguments of {@code ./sluice bench} that run it. */
    List<String> arguments(boolean quick) {
        List<String> arguments = new ArrayList<>(List.of(label()));
        if (quick) {
            arguments.addAll(quickArguments);
        }
        return arguments;
    }
}
