package dev.sluice.bench.endurance;

import dev.sluice.bench.harness.BarChart;
import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.harness.Experiment;
import dev.sluice.bench.harness.ExperimentResult;
import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Report;
import dev.sluice.bench.harness.ResultLog;
import dev.sluice.bench.harness.Role;
import dev.sluice.bench.harness.Summary;
import dev.sluice.bench.hostile.HostileKind;
import dev.sluice.bench.hostile.HostileMain;
import dev.sluice.bench.process.Answer;
import dev.sluice.bench.process.AskedProcess;
import dev.sluice.bench.process.Cores;
import dev.sluice.bench.process.ForeignCpu;
import dev.sluice.bench.process.MachineFacts;
import dev.sluice.bench.process.Ports;
import dev.sluice.bench.process.Priority;
import dev.sluice.bench.process.Site;
import dev.sluice.bench.process.SluiceProgram;
import dev.sluice.bench.scrape.GatewayFigures;
import dev.sluice.bench.scrape.MetricsPage;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A long run of everything that happens to a gateway, with samples of its resources and its clients' times. */
public final class EnduranceBenchmark {
    private static final List<String> FLAGS = List.of("-Xms64m", "-Xmx512m", "-XX:+UseSerialGC");
    private static final int HOSTILE_CLIENTS = 50;
    private static final int FIRST_CLIENTS = 4;
    private static final long GREETING_SECONDS = 10;
    private static final long SETTLE_SECONDS_MAX = 60;
    private static final int LISTED_BREAKS_MAX = 5;
    private static final double NANOS_PER_MICRO = 1e3;

    private final Options options;
    private final Report.Style style;
    private final PrintStream out;

    /** Prepares a run without starting anything. */
    public EnduranceBenchmark(Options options, Report.Style style, PrintStream out) {
        this.options = options;
        this.style = style;
        this.out = out;
    }

    /**
     * The options of a run.
     *
     * @param seconds length of the run
     * @param transport the gateway's transport, as named in its configuration
     * @param openssl a directory with libssl.so.3 and libcrypto.so.3 for the gateway; empty for the system's
     * @param json file for JSON lines; empty for none
     * @param chart file for the SVG; empty for none
     */
    public record Options(
            long seconds, String transport, Optional<Path> openssl, Optional<Path> json, Optional<Path> chart) {}

    /**
     * Runs everything. Everything that it starts has ended on return.
     *
     * @return the failures; empty for none
     */
    public List<String> run() throws InterruptedException {
        SluiceProgram.unavailable().ifPresent(why -> {
            throw new BenchException(why);
        });
        try (Site site = Site.create(Cores.choose(), options.openssl());
                AskedProcess traffic =
                        AskedProcess.onLoadCore(site, "traffic", TrafficMain.class, FLAGS, UnaryOperator.identity());
                AskedProcess hostile = AskedProcess.onLoadCore(
                        site, "hostile", HostileMain.class, hostileFlags(), Priority.IDLE::whereAvailable)) {
            int port = Ports.free();
            Answer backends = traffic.ask("backends");
            List<Integer> ports = List.of((int) backends.number("port0"), (int) backends.number("port1"));
            try (RestartedGateway gateway =
                    RestartedGateway.start(site, new RestartedGateway.Settings(options.transport(), port, ports))) {
                return new Run(site, gateway, traffic, new AttackSeries(hostile, port)).play(port);
            }
        }
    }

    private static List<String> hostileFlags() {
        return Stream.concat(FLAGS.stream(), HostileMain.FLAGS.stream()).toList();
    }

    /** The hostile clients, of one kind after the other, on a thread of their own: some take seconds. */
    private static final class AttackSeries {
        private final List<HostileKind> kinds = List.of(HostileKind.values());
        private final AskedProcess hostile;
        private final int port;
        private final AtomicReference<@Nullable Thread> going = new AtomicReference<>();
        private final Map<HostileKind, Long> unended = new LinkedHashMap<>();
        private final List<String> faults = new ArrayList<>();
        private int next;

        AttackSeries(AskedProcess hostile, int port) {
            this.hostile = hostile;
            this.port = port;
        }

        /** Lets a few clients of each kind come, one kind after the other. */
        void introduce() {
            for (HostileKind kind : kinds) {
                attack(kind, FIRST_CLIENTS);
            }
        }

        /** Starts the next, when the one before has ended. */
        void start() throws InterruptedException {
            await();
            HostileKind kind = kinds.get(next++ % kinds.size());
            going.set(Thread.ofPlatform().name("attack").start(() -> attack(kind, HOSTILE_CLIENTS)));
        }

        private void attack(HostileKind kind, int clients) {
            try {
                Answer answer = hostile.ask("attack", port, kind.name(), clients);
                unended.merge(kind, (long) answer.number("unended"), Long::sum);
            } catch (BenchException e) {
                faults.add(kind.title() + ": " + e.getMessage());
            }
        }

        void await() throws InterruptedException {
            Thread thread = going.getAndSet(null);
            if (thread != null) {
                thread.join();
            }
        }
    }

    /** A run with its processes. */
    private final class Run {
        private final Timetable timetable = Timetable.of(options.seconds());
        private final List<Moment> moments = new ArrayList<>();
        private final ForeignCpu foreignCpu = new ForeignCpu();
        private final List<Double> foreignCpus = new ArrayList<>();
        private final Site site;
        private final RestartedGateway gateway;
        private final AskedProcess traffic;
        private final AttackSeries attacks;
        private final Instant started = Instant.now();
        private long begin = System.nanoTime();
        private long lastForeignNanos = foreignCpu.getAsLong();
        private long lastMomentNanos = begin;

        Run(Site site, RestartedGateway gateway, AskedProcess traffic, AttackSeries attacks) {
            this.site = site;
            this.gateway = gateway;
            this.traffic = traffic;
            this.attacks = attacks;
        }

        List<String> play(int port) throws InterruptedException {
            GatewayFigures before = greet(port);
            begin = System.nanoTime();
            traffic.ask("start", port);
            for (Timetable.Entry entry : timetable.entries()) {
                TimeUnit.NANOSECONDS.sleep(begin + TimeUnit.SECONDS.toNanos(entry.second()) - System.nanoTime());
                act(entry);
            }
            traffic.ask("stop");
            attacks.await();
            moments.add(moment(timetable.seconds()));
            tell(moments.getLast());
            GatewayFigures after = settled();
            List<String> faults = judge(before, after);
            report(faults);
            return faults;
        }

        /** Lets clients of all kinds come and leave, which creates what is kept from then on. */
        private GatewayFigures greet(int port) throws InterruptedException {
            traffic.ask("start", port);
            TimeUnit.SECONDS.sleep(GREETING_SECONDS);
            traffic.ask("stop");
            attacks.introduce();
            traffic.ask("figures");
            return settled();
        }

        private void act(Timetable.Entry entry) throws InterruptedException {
            switch (entry.event()) {
                case FIRST_BACKEND_FAILS -> traffic.ask("fail", 0);
                case FIRST_BACKEND_RETURNS -> traffic.ask("restore", 0);
                case SECOND_BACKEND_FAILS -> traffic.ask("fail", 1);
                case SECOND_BACKEND_RETURNS -> traffic.ask("restore", 1);
                case RELOAD -> gateway.reload();
                case HOT_RESTART -> gateway.replace();
                case ATTACK -> attacks.start();
                case MOMENT -> {
                    moments.add(moment(entry.second()));
                    tell(moments.getLast());
                }
            }
        }

        private Moment moment(long second) {
            foreignCpus.add(foreignCores());
            MetricsPage page = gateway.page();
            return new Moment(second, traffic.ask("figures"), gateway.figures(page), page, gateway.processes());
        }

        /** Returns the CPU time that other programs took since the moment before, in cores. */
        private double foreignCores() {
            long cpu = foreignCpu.getAsLong();
            long now = System.nanoTime();
            double cores = Math.max(0, cpu - lastForeignNanos) / (double) Math.max(1, now - lastMomentNanos);
            lastForeignNanos = cpu;
            lastMomentNanos = now;
            return cores;
        }

        private void tell(Moment moment) {
            out.printf(
                    Locale.ROOT,
                    "%5d s  p50 %6.0f µs  p99 %7.0f µs  visits %5.0f  broken %2.0f  resident %6.1f MiB (%d)  "
                            + "descriptors %4d%n",
                    moment.second(),
                    moment.traffic().number("p50") / NANOS_PER_MICRO,
                    moment.traffic().number("p99") / NANOS_PER_MICRO,
                    moment.traffic().number("visits"),
                    moment.traffic().number("broken"),
                    moment.resident(),
                    moment.processes(),
                    moment.figures().descriptors());
        }

        /** Waits until the gateway has ended the last connections, and old processes have gone. */
        private GatewayFigures settled() throws InterruptedException {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SETTLE_SECONDS_MAX);
            GatewayFigures figures = gateway.figures(gateway.page());
            while ((figures.sessions() > 0 || gateway.processes() > 1) && System.nanoTime() - end < 0) {
                TimeUnit.SECONDS.sleep(1);
                figures = gateway.figures(gateway.page());
            }
            return figures;
        }

        private List<String> judge(GatewayFigures before, GatewayFigures after) {
            EnduranceVerdict verdict = new EnduranceVerdict(timetable, moments);
            attacks.unended.forEach((kind, count) -> verdict.attacked(kind.title(), count));
            verdict.add(attacks.faults);
            verdict.left(before, after);
            verdict.add(gateway.faults());
            verdict.add(breaks());
            return verdict.faults();
        }

        private List<String> breaks() {
            try {
                return Files.readAllLines(site.directory().resolve("traffic.log")).stream()
                        .limit(LISTED_BREAKS_MAX)
                        .map(line -> "an honest client: " + line)
                        .toList();
            } catch (IOException e) {
                throw new BenchException("cannot read the log of the clients: " + e, e);
            }
        }

        private void report(List<String> faults) throws InterruptedException {
            Identity who = Identity.of("Sluice, " + transport(), Role.SUBJECT);
            Experiment experiment = new Experiment(
                    "endurance",
                    String.format(
                            Locale.ROOT,
                            "%,d s: samples each %d s",
                            options.seconds(),
                            timetable.entries().stream()
                                    .filter(entry -> entry.event() == Event.MOMENT)
                                    .findFirst()
                                    .orElseThrow()
                                    .second()),
                    Moment.P99,
                    Moment.others(),
                    List.of(),
                    new Experiment.Plan(0, moments.size()));
            ExperimentResult result = new ExperimentResult(
                    experiment,
                    Map.of(who, moments.stream().map(Moment::sample).toList()),
                    Map.of(),
                    Summary.of(foreignCpus.stream().mapToDouble(x -> x).toArray()));
            Map<String, String> facts = facts();
            Report report = new Report(style);
            out.println(report.facts(facts));
            out.println(report.experiment(result));
            try (ResultLog log = options.json().map(ResultLog::to).orElseGet(ResultLog::none)) {
                log.run(started, facts);
                log.result(result);
                log.verdict(faults);
            }
            BarChart.write(options.chart(), () -> new EnduranceChart(timetable, moments).svg());
        }

        private String transport() {
            return String.join(
                    "",
                    moments.getLast()
                            .page()
                            .sums("sluice_transport_info", "transport")
                            .keySet());
        }

        private Map<String, String> facts() throws InterruptedException {
            Map<String, String> facts = new LinkedHashMap<>(MachineFacts.gather());
            facts.put("cores", site.cores().describe());
            facts.put("OpenSSL from", site.openssl().map(Path::toString).orElse("the system"));
            facts.put("clients", "the JDK's TLS; hostile ones with SCHED_IDLE");
            facts.put("messages", number("messages"));
            facts.put("bytes echoed in bulk", number("echoed"));
            facts.put("connections for one message", number("visits"));
            facts.put("connections lost with a failing backend", number("lost"));
            facts.put("connections broken otherwise", number("broken"));
            facts.put("backend failures", count(Event.FIRST_BACKEND_FAILS, Event.SECOND_BACKEND_FAILS));
            facts.put("reloads with a new certificate", count(Event.RELOAD));
            facts.put("hot restarts", count(Event.HOT_RESTART));
            facts.put("attacks", count(Event.ATTACK) + ", of " + HOSTILE_CLIENTS + " clients each");
            return facts;
        }

        private String number(String name) {
            double sum = moments.stream()
                    .mapToDouble(moment -> moment.traffic().number(name))
                    .sum();
            return String.format(Locale.ROOT, "%,.0f", sum);
        }

        private String count(Event... events) {
            long sum = 0;
            for (Event event : events) {
                sum += timetable.count(event);
            }
            return Long.toString(sum);
        }
    }
}
