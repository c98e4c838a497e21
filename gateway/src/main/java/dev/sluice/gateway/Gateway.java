package dev.sluice.gateway;

import dev.sluice.config.certificate.KeyPairFiles;
import dev.sluice.config.model.AdminHttpConfig;
import dev.sluice.config.model.CertificateConfig;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.ListenerConfig;
import dev.sluice.config.model.TicketConfig;
import dev.sluice.config.model.TicketStoreConfig;
import dev.sluice.gateway.accesslog.AccessLogCounters;
import dev.sluice.gateway.accesslog.AccessLogNotes;
import dev.sluice.gateway.acme.AcmeCertificates;
import dev.sluice.gateway.acme.AcmeLog;
import dev.sluice.gateway.admin.AdminEndpoint;
import dev.sluice.gateway.admin.AdminLog;
import dev.sluice.gateway.admission.Admission;
import dev.sluice.gateway.admission.DescriptorLimit;
import dev.sluice.gateway.alerts.AlertSource;
import dev.sluice.gateway.backend.BackendControl;
import dev.sluice.gateway.backend.Backends;
import dev.sluice.gateway.certificate.CertificateFileLog;
import dev.sluice.gateway.certificate.CertificateWarnings;
import dev.sluice.gateway.certificate.LoadedCertificates;
import dev.sluice.gateway.certificate.OpenSslCheck;
import dev.sluice.gateway.certificate.ServerContexts;
import dev.sluice.gateway.collect.AcmeMetrics;
import dev.sluice.gateway.collect.ConnectionMetrics;
import dev.sluice.gateway.collect.GatewayAlerts;
import dev.sluice.gateway.collect.GatewayMetrics;
import dev.sluice.gateway.collect.KeyMetrics;
import dev.sluice.gateway.collect.LifeMetrics;
import dev.sluice.gateway.collect.LoopMetrics;
import dev.sluice.gateway.control.AdminCommands;
import dev.sluice.gateway.control.AdminProbe;
import dev.sluice.gateway.control.AdminSocket;
import dev.sluice.gateway.control.BackendCommands;
import dev.sluice.gateway.control.ConfigurationCommands;
import dev.sluice.gateway.control.LifeCommands;
import dev.sluice.gateway.control.LogCommands;
import dev.sluice.gateway.control.TicketCommands;
import dev.sluice.gateway.dns.Resolver;
import dev.sluice.gateway.earlydata.EarlyDataPolicies;
import dev.sluice.gateway.earlydata.SharedReplayCheck;
import dev.sluice.gateway.ech.EchKeySets;
import dev.sluice.gateway.ech.EchLog;
import dev.sluice.gateway.flight.Flight;
import dev.sluice.gateway.flight.FlightEvents;
import dev.sluice.gateway.log.GatewayLog;
import dev.sluice.gateway.log.LogControl;
import dev.sluice.gateway.log.UncaughtLog;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.MetricCollector;
import dev.sluice.gateway.metrics.MetricSnapshot;
import dev.sluice.gateway.ocsp.OcspWarnings;
import dev.sluice.gateway.ocsp.StapleLog;
import dev.sluice.gateway.ocsp.StapleRound;
import dev.sluice.gateway.ocsp.Stapling;
import dev.sluice.gateway.otlp.MetricPush;
import dev.sluice.gateway.outcome.GatewayStartException;
import dev.sluice.gateway.outcome.LoopCounters;
import dev.sluice.gateway.outcome.SessionEnd;
import dev.sluice.gateway.reload.Reload;
import dev.sluice.gateway.reload.ReloadHistory;
import dev.sluice.gateway.reload.ReloadRequest;
import dev.sluice.gateway.reload.RestartNotes;
import dev.sluice.gateway.restart.InheritedSockets;
import dev.sluice.gateway.restart.PassedSockets;
import dev.sluice.gateway.session.GatewayLoop;
import dev.sluice.gateway.session.ListeningSocket;
import dev.sluice.gateway.tickets.RedisReplayCheck;
import dev.sluice.gateway.tickets.TicketKeyException;
import dev.sluice.gateway.tickets.TicketKeyLog;
import dev.sluice.gateway.tickets.TicketKeys;
import dev.sluice.net.EventLoop;
import dev.sluice.net.EventLoopConfig;
import dev.sluice.net.LoopStatistics;
import dev.sluice.net.loop.EventLoops;
import dev.sluice.tls.context.SharedContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A running gateway: terminates TLS on its listeners and relays the plaintext to backends, on several event loops that
 * share nothing on the data path.
 *
 * <pre>{@code
 * try (Gateway gateway = Gateway.start(config, log)) {
 *     ...
 *     gateway.drain(config.drain());
 * }
 * }</pre>
 *
 * <p>May be used from any thread.
 */
public final class Gateway implements AutoCloseable {
    /** The longest time aborted connections may take to release their resources. */
    private static final Duration ABORT_TIME = Duration.ofSeconds(5);

    /** The longest time the caller of a drain waits until no loop accepts connections any more. */
    private static final Duration STOP_TIME = Duration.ofSeconds(5);

    private final List<GatewayLoop> loops = new ArrayList<>();
    private final Admission admission;
    private final GatewayLog log;
    private final List<LoopCounters> counters;
    private final GatewayMetrics metrics;
    private final ReloadHistory reloads;
    private final GatewayAlerts alerts;
    private final MetricPush push;
    private final @Nullable TicketKeys ticketKeys;
    private final @Nullable AdminSocket admin;
    private final EarlyDataPolicies earlyData;
    private final Backends backends;
    private final BackendControl control;
    private final Stapling stapling;
    private final EchKeySets ech;
    private final AcmeCertificates acme;
    private final AccessLogs accessLogs;
    private final CertificateFileLog certificateFiles;
    /** The configuration at the start, some of which holds to the end, whatever is reloaded. */
    private final GatewayConfig started;

    private volatile GatewayConfig config;
    private volatile List<InetSocketAddress> addresses = List.of();
    private volatile @Nullable ReloadRequest reloadRequest;
    private volatile @Nullable LogControl logControl;
    private volatile boolean ending;
    private volatile boolean warming;
    private volatile @Nullable Runnable drainRequest;
    private volatile @Nullable AdminEndpoint endpoint;
    /** Another process has its listening sockets, and is to have the rest. */
    private volatile boolean replaced;

    private Gateway(GatewayConfig config, GatewayLog log, InstantSource clock, Resolver.Maker names) {
        this.started = config;
        this.config = config;
        this.log = log;
        this.alerts = new GatewayAlerts(this::metrics, log);
        this.push = new MetricPush(this::metrics, log);
        this.admission = new Admission(
                connectionsMax(config, log),
                config.limits().connectionsPerAddress(),
                config.limits().handshakes(),
                System.nanoTime());
        this.acme = new AcmeCertificates(new LoopChallenges(loops), InstantSource.system(), new Lines(log));
        this.ticketKeys = ticketKeys(config, log);
        this.backends = new Backends(log, names);
        this.control = new BackendControl(backends);
        this.admin = admin(config, new AdminCommands(commands()), ticketKeys);
        this.earlyData = new EarlyDataPolicies(clock, () -> sharedCheck(config, log, clock));
        this.stapling = new Stapling(clock, new Lines(log));
        this.ech = new EchKeySets(clock, new Lines(log));
        this.reloads = new ReloadHistory(clock);
        this.accessLogs = new AccessLogs(loops, new Lines(log));
        this.certificateFiles = new CertificateFileLog(log);
        try {
            for (int i = 0; i < config.loops(); i++) {
                EventLoop eventLoop = EventLoops.start(loopConfig(i));
                loops.add(new GatewayLoop(eventLoop, i, config, admission, earlyData, backends, log));
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
        List<GatewayLoop> all = List.copyOf(loops);
        this.counters = all.stream().map(GatewayLoop::counters).toList();
        this.metrics = new GatewayMetrics(() -> collectors(all, clock), clock);
    }

    private List<MetricCollector> collectors(List<GatewayLoop> all, InstantSource clock) {
        return List.of(
                snapshot -> LoopCounters.collect(counters, snapshot),
                connectionMetrics(),
                new KeyMetrics(() -> config, ticketKeys, stapling, ech, clock),
                new AcmeMetrics(acme),
                new LoopMetrics(all),
                alerts,
                push,
                new LifeMetrics(all.getFirst().eventLoop(), reloads, () -> logControl, () -> ending));
    }

    /**
     * Starts a gateway: its listeners listen when this returns.
     *
     * @return the caller closes it
     * @throws GatewayStartException when an address cannot be listened on
     * @throws dev.sluice.net.BackendUnavailableException when the transport that was insisted on cannot run here
     * @throws dev.sluice.tls.failure.TlsConfigurationException when a certificate has become unusable since it was
     *     checked
     */
    static Gateway start(GatewayConfig config, GatewayLog log) {
        return start(config, log, InstantSource.system(), Resolver.Maker.SYSTEM);
    }

    /**
     * The same on sockets that listen already, as far as there are any for its listeners.
     *
     * @param inherited listeners take theirs out; the rest stays the caller's
     * @param checked has loaded certificates when the configuration was checked: those need not be read again. It may
     *     be closed as soon as this returns
     */
    public static Gateway start(
            GatewayConfig config, GatewayLog log, InheritedSockets inherited, OpenSslCheck checked) {
        return start(config, log, InstantSource.system(), Resolver.Maker.SYSTEM, inherited, checked);
    }

    /** The same with certificates that are read now. */
    static Gateway start(GatewayConfig config, GatewayLog log, InheritedSockets inherited) {
        try (OpenSslCheck nothing = new OpenSslCheck()) {
            return start(config, log, inherited, nothing);
        }
    }

    /** The same on sockets of its own. */
    public static Gateway start(GatewayConfig config, GatewayLog log, OpenSslCheck checked) {
        return start(config, log, InheritedSockets.none(), checked);
    }

    /**
     * The same.
     *
     * @param clock what early data and OCSP responses are timed by
     * @param names makes what finds the servers of backends by their names
     */
    static Gateway start(GatewayConfig config, GatewayLog log, InstantSource clock, Resolver.Maker names) {
        try (OpenSslCheck nothing = new OpenSslCheck()) {
            return start(config, log, clock, names, InheritedSockets.none(), nothing);
        }
    }

    private static Gateway start(
            GatewayConfig config,
            GatewayLog log,
            InstantSource clock,
            Resolver.Maker names,
            InheritedSockets inherited,
            OpenSslCheck checked) {
        requireNoOther(config, inherited);
        CertificateWarnings.of(config, Instant.now()).forEach(log::warn);
        OcspWarnings.of(config).forEach(log::warn);
        Gateway gateway = new Gateway(config, log, clock, names);
        boolean replacesAnother = inherited.areShared();
        try {
            gateway.certificateFiles.follow(config);
            gateway.accessLogs.apply(config.accessLog());
            gateway.serve(config, inherited, checked);
            gateway.publishAdmin(replacesAnother);
            gateway.alerts.follow(config.alerts());
            gateway.push.follow(config.operation().otlp());
            gateway.loops.forEach(loop -> loop.eventLoop().execute(loop::startSweeping));
            gateway.startEndpoint();
            gateway.acme.follow(config);
            return gateway;
        } catch (RuntimeException e) {
            gateway.close();
            throw e;
        }
    }

    /**
     * A second start by mistake ends here, before it touches anything that the running gateway has: its admin socket,
     * its ticket keys, its logs.
     */
    private static void requireNoOther(GatewayConfig config, InheritedSockets inherited) {
        Reload.requireFree(config, Set.of(), inherited);
        Path socket = config.admin().socket();
        if (socket != null && !inherited.areShared()) {
            AdminProbe.requireUnused(socket);
        }
    }

    private void publishAdmin(boolean replacesAnother) {
        if (admin != null && replacesAnother) {
            admin.replace();
        } else if (admin != null) {
            admin.publish();
        }
    }

    private static @Nullable TicketKeys ticketKeys(GatewayConfig config, GatewayLog log) {
        TicketConfig tickets = config.tickets();
        if (tickets == null) {
            return null;
        }
        try {
            return TicketKeys.start(tickets, new Lines(log));
        } catch (TicketKeyException e) {
            throw new GatewayStartException(e.getMessage(), e);
        }
    }

    private Map<String, AdminSocket.Commands> commands() {
        LifeCommands life = new LifeCommands(new LifeCommands.Target() {
            @Override
            public int handOver(Path to) throws IOException {
                return Gateway.this.handOver(to);
            }

            @Override
            public boolean isEnding() {
                return ending;
            }

            @Override
            public boolean askToDrain() throws InterruptedException {
                Runnable request = drainRequest;
                if (request != null) {
                    request.run();
                    awaitAll(GatewayLoop::stopped, STOP_TIME);
                }
                return request != null;
            }
        });
        ConfigurationCommands configuration =
                new ConfigurationCommands(() -> config, acme::statuses, () -> reloadRequest);
        return Map.of(
                "log",
                new LogCommands(() -> logControl),
                "tickets",
                new TicketCommands(ticketKeys),
                "backends",
                new BackendCommands(control),
                "reload",
                configuration,
                "certificates",
                configuration,
                "handover",
                life,
                LifeCommands.STATE,
                life,
                "drain",
                life);
    }

    /** Sends copies of the listening sockets to the process that is to replace this one. */
    private synchronized int handOver(Path to) throws IOException {
        if (ending || addresses.isEmpty()) {
            throw new IllegalStateException(
                    ending ? "this gateway has begun to drain" : "this gateway is just starting");
        }
        PassedSockets passed = new PassedSockets();
        for (GatewayLoop loop : loops) {
            loop.run(() -> loop.listeners()
                    .forEach(socket -> socket.descriptors()
                            .forEach(descriptor -> passed.add(
                                    new PassedSockets.Address(socket.configured(), socket.address()), descriptor))));
        }
        passed.sendTo(to);
        replaced = true;
        log.info("hot restart: passed " + passed.count() + " listening sockets to the new gateway");
        return passed.count();
    }

    /**
     * Sets the action that runs when the admin socket requests a drain; without one, such requests are not supported.
     */
    public void onDrainRequest(Runnable request) {
        drainRequest = request;
    }

    /** Sets whether the process still warms up, so that the gateway is not reported as ready. */
    public void warming(boolean value) {
        warming = value;
    }

    boolean isWarming() {
        return warming;
    }

    /** Looks for clients that wait in a queue which another process has just ceased to share. */
    public void lookAgain() {
        loops.forEach(loop -> loop.eventLoop().execute(() -> loop.listeners().forEach(ListeningSocket::lookAgain)));
    }

    /** Returns true when every loop runs a task within the time limit. */
    public boolean responds(Duration limit) throws InterruptedException {
        CountDownLatch silent = new CountDownLatch(loops.size());
        loops.forEach(loop -> loop.eventLoop().execute(silent::countDown));
        return silent.await(limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static @Nullable AdminSocket admin(
            GatewayConfig config, AdminSocket.Commands commands, @Nullable TicketKeys keys) {
        Path path = config.admin().socket();
        if (path == null) {
            return null;
        }
        try {
            return AdminSocket.prepare(path, commands);
        } catch (GatewayStartException e) {
            if (keys != null) {
                keys.close();
            }
            throw e;
        }
    }

    private void startEndpoint() {
        AdminHttpConfig http = started.admin().http();
        if (http != null) {
            Administration administration = new Administration(this, alerts, () -> reloadRequest);
            endpoint = AdminEndpoint.start(http, administration, new Lines(log));
        }
    }

    private void closeEndpoint() {
        AdminEndpoint open = endpoint;
        if (open != null) {
            open.close();
        }
    }

    /**
     * Returns the replay check that nodes with a shared ticket store use, since any of them may receive a copy of early
     * data that another one accepted; null without such a store.
     */
    private static @Nullable SharedReplayCheck sharedCheck(GatewayConfig config, GatewayLog log, InstantSource clock) {
        TicketConfig tickets = config.tickets();
        if (tickets == null || !(tickets.store() instanceof TicketStoreConfig.Redis redis)) {
            return null;
        }
        try {
            return RedisReplayCheck.start(redis, clock, new Lines(log));
        } catch (TicketKeyException e) {
            throw new GatewayStartException(e.getMessage(), e);
        }
    }

    /**
     * A log adapter that writes lines about ticket keys, OCSP responses, ACME, ECH, access log and admin endpoint to
     * the gateway's log.
     */
    private record Lines(GatewayLog log) implements TicketKeyLog, StapleLog, AcmeLog, AccessLogNotes, AdminLog, EchLog {
        @Override
        public void info(String line) {
            log.info(line);
        }

        @Override
        public void warn(String line) {
            log.warn(line);
        }
    }

    /** Returns the configured number of connections, or as many as the descriptors of this process suffice for. */
    private static int connectionsMax(GatewayConfig config, GatewayLog log) {
        long descriptors = DescriptorLimit.current();
        int possible = DescriptorLimit.connections(descriptors, config);
        int wanted = config.limits().connections();
        if (wanted > possible) {
            log.warn("limits.connections is " + wanted + ", but " + descriptors + " descriptors suffice for " + possible
                    + "; raise RLIMIT_NOFILE (ulimit -n, LimitNOFILE)");
        }
        return wanted == 0 ? possible : Math.min(wanted, possible);
    }

    private EventLoopConfig loopConfig(int number) {
        EventLoop.Backend backend = switch (started.transport()) {
            case AUTO -> null;
            case IO_URING -> EventLoop.Backend.IO_URING;
            case EPOLL -> EventLoop.Backend.EPOLL;
        };
        return EventLoopConfig.defaults()
                .withName("loop-" + number)
                .withBackend(backend)
                .withUncaughtHandler(new UncaughtLog(log, System::nanoTime));
    }

    /**
     * Serves another configuration from now on, without a gap: connections that were accepted before go on as they
     * began, listeners that stay keep their sockets. When anything of it cannot be had, nothing changes.
     *
     * @return what else is different and takes a restart, a sentence each; the old values stay
     * @throws GatewayStartException when an address cannot be listened on
     * @throws dev.sluice.tls.failure.TlsConfigurationException when a certificate has become unusable since it was
     *     checked
     * @throws IllegalStateException when the gateway drains or is closed
     */
    public List<String> reload(GatewayConfig next) {
        try (OpenSslCheck nothing = new OpenSslCheck()) {
            return reload(next, nothing);
        }
    }

    /**
     * The same of certificates that were loaded when the configuration was checked, and need not be read again.
     *
     * @param checked which may be closed as soon as this returns
     */
    public synchronized List<String> reload(GatewayConfig next, OpenSslCheck checked) {
        if (ending) {
            throw new IllegalStateException("the gateway has begun to drain");
        }
        List<String> notes = RestartNotes.of(started, next);
        FlightEvents events = Flight.events();
        if (events == null) {
            takeUp(next, checked);
        } else {
            events.reload(next.listeners().size(), () -> takeUp(next, checked));
        }
        return notes;
    }

    private void takeUp(GatewayConfig next, OpenSslCheck checked) {
        serve(next, InheritedSockets.none(), checked);
        admission.limits(
                connectionsMax(next, log),
                next.limits().connectionsPerAddress(),
                next.limits().handshakes(),
                System.nanoTime());
        accessLogs.apply(next.accessLog());
        config = next;
        alerts.follow(next.alerts());
        push.follow(next.operation().otlp());
        reloads.served();
        certificateFiles.follow(next);
        CertificateWarnings.of(next, Instant.now()).forEach(log::warn);
        OcspWarnings.of(next).forEach(log::warn);
        acme.follow(next);
        if (!checked.isRenewal()) {
            acme.retryFailed();
        }
    }

    private void serve(GatewayConfig next, InheritedSockets inherited, OpenSslCheck checked) {
        Set<InetSocketAddress> before = loops
                .getFirst()
                .call(() -> loops.getFirst().listeners())
                .stream()
                .map(ListeningSocket::configured)
                .collect(Collectors.toSet());
        GatewayConfig served = config;
        try (LoadedCertificates loaded = LoadedCertificates.of(next, checked.loaded())) {
            StapleRound staples = staples(next, loaded);
            backends.prepare(next);
            ech.prepare(next);
            Reload reload = new Reload(loops, next, listener -> context(next, listener, staples, loaded), inherited);
            addresses = List.copyOf(reload.run(before));
            served = next;
            staples.commit();
        } finally {
            backends.keep(served);
            ech.keep(served);
        }
    }

    /** The certificates that are to have OCSP responses. */
    private StapleRound staples(GatewayConfig next, LoadedCertificates loaded) {
        StapleRound round = stapling.round(next.ocsp());
        for (ListenerConfig listener : next.listeners()) {
            for (CertificateConfig certificate : listener.certificates()) {
                certificate.keyPairs().forEach(pair -> staple(round, certificate, pair, loaded));
            }
        }
        return round;
    }

    private void staple(
            StapleRound round, CertificateConfig certificate, KeyPairFiles pair, LoadedCertificates loaded) {
        URI responder = round.responder(certificate, pair);
        if (responder == null) {
            return;
        }
        try {
            round.add(certificate, pair, responder, loaded.of(pair.files()).issuersPem());
        } catch (GeneralSecurityException e) {
            log.warn("certificate " + certificate.name() + " (" + pair.chain()
                    + ") gets no OCSP response, since it cannot be read (" + e + ")");
        }
    }

    /**
     * Returns the ticket settings with the keys that this gateway was started with, which keep rotating while tickets
     * are off.
     */
    private ServerContexts.@Nullable Tickets tickets(GatewayConfig next) {
        TicketConfig tickets = started.tickets();
        return tickets == null || ticketKeys == null || next.tickets() == null
                ? null
                : ServerContexts.Tickets.of(ticketKeys.ring(), tickets);
    }

    private @Nullable SharedContext context(
            GatewayConfig next, ListenerConfig listener, StapleRound staples, LoadedCertificates loaded) {
        return listener.certificates().isEmpty()
                ? null
                : ServerContexts.of(
                        listener,
                        tickets(next),
                        earlyData.policy(listener.tls().earlyData()),
                        staples,
                        listener.tls().ech() == null
                                ? null
                                : ech.ring(listener.tls().ech()),
                        loaded);
    }

    /** Somebody has moved the access log away, as logrotate does: a new file is begun within a moment. */
    public void reopenAccessLog() {
        accessLogs.reopen();
    }

    /** Has {@code reload} at the admin socket do this from now on. */
    public void onReloadRequest(ReloadRequest request) {
        reloadRequest = request;
    }

    /** Lets the admin socket and the metrics at the log that this gateway was given. */
    public void onLogControl(LogControl control) {
        logControl = control;
    }

    /** Counts a rejected reload for the metrics; the previous configuration stays active. */
    public void reloadRefused() {
        reloads.refused();
    }

    /** Returns the active configuration: the one from the start, or from the last reload. */
    public GatewayConfig config() {
        return config;
    }

    /** Returns true once the gateway has begun to drain. */
    public boolean isEnding() {
        return ending;
    }

    /** Returns the listening addresses in the order of the configuration, including ports chosen by the kernel. */
    public List<InetSocketAddress> addresses() {
        return addresses;
    }

    /** Bytes that were copied in user space on their way, other than by a cipher or by libssl. */
    long bytesCopied() {
        return loops.stream()
                .mapToLong(loop -> loop.eventLoop().statistics().get(LoopStatistics.Counter.BYTES_COPIED))
                .sum();
    }

    /** Reads all metrics now; from any thread, also after the close. Values may differ by a few events. */
    public MetricSnapshot metrics() {
        return metrics.get();
    }

    /**
     * Returns the health state of each server that routes lead to, by backend and address, such as
     * {@code web 127.0.0.1:8080}: {@code up}, or {@code down} or {@code ejected} with the reason after a colon.
     */
    Map<String, String> servers() {
        Map<String, String> servers = new TreeMap<>();
        backends.statuses().forEach(status -> servers.put(status.name(), status.text()));
        return servers;
    }

    /** Returns the control of the servers that routes lead to. */
    BackendControl control() {
        return control;
    }

    /** Returns the number of open client connections. */
    public long openConnections() {
        return counted().count(Metric.CONNECTIONS);
    }

    /** Returns one sentence for the log that sums up what it has served. */
    public String summary() {
        return new GatewaySummary(counted(), stapling).text();
    }

    /** Reads the metrics of connections and servers alone, since others load the JVM's management. */
    private MetricSnapshot counted() {
        MetricSnapshot.Builder snapshot = new MetricSnapshot.Builder();
        LoopCounters.collect(counters, snapshot);
        connectionMetrics().collect(snapshot);
        return snapshot.build(Instant.now());
    }

    private ConnectionMetrics connectionMetrics() {
        return new ConnectionMetrics(counters, admission, earlyData, backends, accessLogs.counters());
    }

    /** Returns its OCSP responses. */
    Stapling stapling() {
        return stapling;
    }

    /** Returns what became of the lines of its access log. */
    AccessLogCounters accessLogCounters() {
        return accessLogs.counters();
    }

    /** Returns the source of the alerts that the configuration enables. */
    public AlertSource alerts() {
        return alerts;
    }

    /** Returns one sentence for the log: the transport of the loops, and the reason for it. */
    public String transport() {
        return loops.getFirst().eventLoop().backendReason();
    }

    /**
     * Accepts no more connections and waits for the open ones; those that are still open after the grace period are
     * reset.
     *
     * @return whether all ended by themselves
     * @throws InterruptedException when the wait was cut off; call {@link #close()} then
     */
    public boolean drain(Duration grace) throws InterruptedException {
        if (beginsToEnd()) {
            if (replaced) {
                closeEndpoint(); // who asks there means the gateway that serves
            }
            loops.forEach(loop -> loop.eventLoop().execute(loop::stopListening));
        }
        boolean allEnded = awaitDrained(grace);
        if (!allEnded) {
            loops.forEach(loop -> loop.eventLoop().execute(() -> loop.abortAll(SessionEnd.DRAIN_TIMEOUT)));
            awaitDrained(ABORT_TIME);
        }
        return allEnded;
    }

    private boolean beginsToEnd() {
        boolean first;
        synchronized (this) {
            first = !ending;
            ending = true;
        }
        acme.close(); // the next gateway may be waiting to order
        return first;
    }

    private boolean awaitDrained(Duration limit) throws InterruptedException {
        return awaitAll(GatewayLoop::drained, limit);
    }

    private boolean awaitAll(Function<GatewayLoop, CompletableFuture<Void>> what, Duration limit)
            throws InterruptedException {
        try {
            CompletableFuture.allOf(loops.stream().map(what).toArray(CompletableFuture[]::new))
                    .get(limit.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException stillOpen) {
            return false;
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Resets all connections and frees everything. */
    @Override
    public void close() {
        closeEndpoint();
        alerts.close();
        push.close();
        if (admin != null) {
            admin.close();
        }
        stapling.close();
        acme.close();
        for (GatewayLoop loop : loops) {
            loop.eventLoop().execute(() -> loop.abortAll(SessionEnd.GATEWAY_CLOSED));
            loop.eventLoop().close();
            loop.freeContexts();
        }
        loops.clear();
        accessLogs.close();
        backends.close();
        if (ticketKeys != null) {
            ticketKeys.close();
        }
        earlyData.close();
        ech.close();
    }
}
