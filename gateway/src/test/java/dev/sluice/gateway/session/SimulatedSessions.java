package dev.sluice.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.log.LogLevel;
import dev.sluice.config.model.AcceptPolicy;
import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.BackendConfig.ConnectMode;
import dev.sluice.config.model.Balance;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.HandshakeLimits;
import dev.sluice.config.model.LimitsConfig;
import dev.sluice.config.model.ListenerConfig;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.config.model.RouteConfig;
import dev.sluice.config.model.TicketConfig;
import dev.sluice.config.model.TlsOptions;
import dev.sluice.config.model.TransportChoice;
import dev.sluice.gateway.Copies;
import dev.sluice.gateway.EngineClient;
import dev.sluice.gateway.GatewayFixture;
import dev.sluice.gateway.RecordClients;
import dev.sluice.gateway.RecordClients.Suite;
import dev.sluice.gateway.RecordSequence;
import dev.sluice.gateway.SimulatedBackend;
import dev.sluice.gateway.SimulatedClient;
import dev.sluice.gateway.admission.Admission;
import dev.sluice.gateway.backend.BackendPool;
import dev.sluice.gateway.backend.Backends;
import dev.sluice.gateway.backend.PoolServer;
import dev.sluice.gateway.certificate.LoadedCertificates;
import dev.sluice.gateway.certificate.ServerContexts;
import dev.sluice.gateway.earlydata.EarlyDataPolicies;
import dev.sluice.gateway.log.GatewayLog;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.reload.LoopReload;
import dev.sluice.net.EventLoop.Backend;
import dev.sluice.net.EventLoopConfig;
import dev.sluice.net.internal.Loop;
import dev.sluice.simulator.Chance;
import dev.sluice.simulator.Faults;
import dev.sluice.simulator.MemorySocket;
import dev.sluice.simulator.Peer;
import dev.sluice.simulator.RingRules;
import dev.sluice.simulator.SimulatedKernel;
import dev.sluice.simulator.SimulationFailure;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.tls.context.SharedContext;
import dev.sluice.tls.record.Alert;
import dev.sluice.tls.record.ContentType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A gateway on a kernel in memory, between clients and backends of which most do as they please: each may end, break
 * off or fall silent at any moment. No limit of time ends a session here but that of closing.
 */
final class SimulatedSessions implements AutoCloseable {
    private static final int PORT = 4433;
    private static final int BACKEND_PORT = 8080;
    private static final int REFUSING_PORT = 8081;
    private static final int SILENT_PORT = 8082;
    private static final int LEAST_SOCKET_BYTES = 2_000;
    private static final int MOST_SOCKET_BYTES = 100_000;
    private static final int MOST_HELD_BYTES = 200_000;
    private static final int[] BUFFERS = {32, 128, 512};
    private static final int HONEST_BYTES_MAX = 60_000;
    private static final int HANDSHAKE_BYTES = 700;
    private static final int CLIENTS_MAX = 3;

    /** The first client's port from the kernel; the others follow. */
    private static final int FIRST_PORT = 40_000;

    private static final int TURNS_MAX = 200_000;
    private static final Duration NEVER = Duration.ofHours(1);
    private static final long CLOSE_TIMEOUT_MILLIS = 1_000;

    /**
     * TLS may take its time to send an alert, and the socket its own to close, and an end is noticed within a moment.
     */
    private static final long BOUND_NANOS = TimeUnit.MILLISECONDS.toNanos(3 * CLOSE_TIMEOUT_MILLIS);

    /** One client, and the backend that the gateway has connected it with. */
    private static final class Exchange {
        private final SimulatedClient client;
        private final boolean honest;
        private @Nullable SimulatedBackend backend;
        private @Nullable RecordSequence sequence;
        private int honestBytes;

        Exchange(SimulatedClient client, boolean honest) {
            this.client = client;
            this.honest = honest;
        }

        /** Returns true when one side has left so that the gateway has to notice, and to end the other one. */
        boolean mustBeOver(long now) {
            boolean backendReads = backend == null || backend.reads();
            boolean clientLeft = client.leftNanos() >= 0
                    && now - client.leftNanos() > BOUND_NANOS
                    && (client.hasReset() || (!client.hasSaidGoodbye() && backendReads));
            boolean backendLeft =
                    backend != null && backend.resetNanos() >= 0 && now - backend.resetNanos() > BOUND_NANOS;
            return clientLeft || backendLeft;
        }

        @Override
        public String toString() {
            return "\n  " + (honest ? "honest " : "") + client + " with " + backend
                    + (sequence == null ? "" : ": " + sequence);
        }
    }

    private final Chance chance;
    private final SimulatedKernel kernel;
    private final Loop loop;
    private final GatewayLoop gateway;
    private final Admission admission = new Admission(1000, 1000, HandshakeLimits.DEFAULT, 0);
    private final Backends sharedBackends = new Backends(GatewayLog.NONE);
    private final List<Exchange> exchanges = new ArrayList<>();
    private final List<Throwable> uncaught = new ArrayList<>();
    private final List<String> errors = new ArrayList<>();
    /** True once all peers break off their connections, including those still to come. */
    private boolean ending;

    /** True while the gateway runs, and not a peer. */
    private boolean inside;

    SimulatedSessions(Chance chance, Backend transport) {
        this.chance = chance;
        Faults faults = Faults.by(chance).withResources();
        this.kernel = new SimulatedKernel(chance, faults, LEAST_SOCKET_BYTES, MOST_SOCKET_BYTES);
        kernel.ringRules = RingRules.by(chance);
        kernel.longestSleepMillis = Long.MAX_VALUE;
        this.loop = Loop.driven(
                EventLoopConfig.defaults()
                        .withName("simulated")
                        .withBackend(transport)
                        .withMaxBuffers(BUFFERS[chance.below(BUFFERS.length)])
                        .withRingEntries(chance.oneIn(2) ? 8 : 64)
                        .withCloseTimeoutMillis(CLOSE_TIMEOUT_MILLIS)
                        .withUncaughtHandler((where, what, thrown) -> uncaught.add(thrown)),
                kernel);
        GatewayConfig config = config();
        sharedBackends.prepare(config);
        this.gateway = new GatewayLoop(
                loop,
                0,
                config,
                admission,
                new EarlyDataPolicies(InstantSource.system(), () -> null),
                sharedBackends,
                this::log,
                kernel::nanoTime);
        new LoopReload(gateway, config, List.of(contextOf(config)), new ArrayList<>(), List.of(List.of())).commit();
    }

    /** RSA, since the length of an ECDSA signature is a matter of chance that no seed rules. */
    private GatewayConfig config() {
        ListenerConfig listener = Copies.of(new ListenerConfig(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), PORT),
                        List.of(GatewayFixture.certificate(
                                "test", "localhost", TestCertificates.shared().serverRsa())),
                        List.of(),
                        TlsOptions.DEFAULT,
                        List.of(RouteConfig.toAll(backend())),
                        ""))
                .acceptPolicy(new AcceptPolicy(List.of(), 1000, Duration.ZERO, false, false))
                .build();
        return new GatewayConfig(
                List.of(listener),
                listener.certificates(),
                listener.routes().stream().map(RouteConfig::backend).toList(),
                new LimitsConfig(
                        NEVER, Duration.ZERO, 0, 1000, chance.sized(1, MOST_HELD_BYTES), HandshakeLimits.DEFAULT),
                1,
                TransportChoice.AUTO,
                TicketConfig.DEFAULT,
                Duration.ZERO);
    }

    private BackendConfig backend() {
        kernel.ignore(SILENT_PORT);
        kernel.serve(BACKEND_PORT, this::backendConnected);
        List<SocketAddress> servers = new ArrayList<>();
        for (int i = chance.below(3); i > 0; i--) {
            servers.add(at(chance.oneIn(2) ? REFUSING_PORT : SILENT_PORT));
        }
        servers.add(at(BACKEND_PORT));
        return Copies.of(new BackendConfig(
                        "backend", servers, Balance.ROUND_ROBIN, ProxyProtocol.V1, Duration.ofMillis(50)))
                .connect(chance.oneIn(2) ? ConnectMode.ON_DATA : ConnectMode.AT_ONCE)
                .build();
    }

    private static SocketAddress at(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private static SharedContext contextOf(GatewayConfig config) {
        try (LoadedCertificates none = new LoadedCertificates();
                LoadedCertificates loaded = LoadedCertificates.of(config, none)) {
            return ServerContexts.of(config.listeners().getFirst(), null, null, null, null, loaded);
        }
    }

    private void log(LogLevel level, String line) {
        if (level == LogLevel.ERROR) {
            errors.add(line);
        }
    }

    // --- its peers --------------------------------------------------------------------------------------------------

    /** Adds some clients that keep to the rules, and some that do not. */
    void addClients(RecordClients clients) {
        for (int left = chance.between(1, CLIENTS_MAX); left > 0; left--) {
            add(clients, true);
        }
        for (int left = chance.between(1, CLIENTS_MAX); left > 0; left--) {
            add(clients, false);
        }
    }

    private void add(RecordClients clients, boolean honest) {
        Suite[] suites = Suite.values();
        MemorySocket socket = Objects.requireNonNull(kernel.dial(PORT));
        int leavesAfter = honest || !chance.oneIn(6) ? -1 : chance.below(HANDSHAKE_BYTES);
        SimulatedClient client = new SimulatedClient(
                chance,
                kernel::nanoTime,
                socket,
                clients.engine(suites[chance.below(suites.length)]),
                clients,
                leavesAfter,
                honest,
                this::plan);
        exchanges.add(new Exchange(client, honest));
        kernel.add(outside(client));
    }

    private Peer outside(Peer peer) {
        return () -> {
            inside = false;
            try {
                return peer.step();
            } finally {
                inside = true;
            }
        };
    }

    private void plan(SimulatedClient client) throws IOException {
        Exchange exchange = exchanges.stream()
                .filter(one -> one.client == client)
                .findFirst()
                .orElseThrow();
        if (exchange.honest) {
            planHonestly(exchange, client);
        } else {
            RecordSequence sequence = new RecordSequence(chance.below(Integer.MAX_VALUE), client);
            exchange.sequence = sequence;
            sequence.run();
            if (chance.oneIn(4)) {
                client.fallSilent();
            } else {
                client.leave();
            }
        }
    }

    /** Has its bytes echoed, and ends in order. */
    private void planHonestly(Exchange exchange, SimulatedClient client) {
        int bytes = chance.sized(1, HONEST_BYTES_MAX);
        exchange.honestBytes = bytes;
        byte[] all = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            all[i] = i == 0 ? (byte) 'e' : EngineClient.at(i);
        }
        for (int at = 0; at < bytes; ) {
            int piece = chance.sized(1, Math.min(bytes - at, 16_384));
            client.seal(ContentType.APPLICATION_DATA, Arrays.copyOfRange(all, at, at + piece));
            client.flush();
            at += piece;
            if (chance.oneIn(3)) {
                client.await(at);
            }
        }
        client.await(bytes);
        client.seal(ContentType.ALERT, new byte[] {1, Alert.CLOSE_NOTIFY});
        client.flush();
        client.awaitEnd();
        client.leave();
    }

    private void backendConnected(MemorySocket socket) {
        SimulatedBackend[] made = new SimulatedBackend[1];
        SimulatedBackend backend =
                new SimulatedBackend(chance, kernel::nanoTime, socket, port -> identified(made[0], port));
        made[0] = backend;
        kernel.add(outside(backend));
    }

    private void identified(SimulatedBackend backend, int port) {
        Exchange exchange = exchanges.get(port - FIRST_PORT);
        exchange.backend = backend;
        if (ending) {
            backend.breakOff();
        } else if (!exchange.honest) {
            backend.misbehave();
        }
    }

    // --- the run ----------------------------------------------------------------------------------------------------

    /** Tells of the one thread whether what it calls is the gateway's call. */
    Predicate<Thread> gatewayCalls() {
        return thread -> inside;
    }

    /** Runs until all peers have done what they were going to, then breaks what is left, and waits for its end. */
    void run() {
        try {
            runToTheEnd();
        } catch (SimulationFailure e) {
            throw new AssertionError(exchanges + "\n" + e.getMessage(), e);
        }
    }

    private void runToTheEnd() {
        kernel.endWhen(this::isEveryClientPassive);
        turnUntilFinished();
        ending = true;
        exchanges.forEach(this::breakOff);
        kernel.endWhen(this::isEverythingOver);
        turnUntilFinished();
    }

    /** One side: the other has to end by that. */
    private void breakOff(Exchange exchange) {
        SimulatedBackend backend = exchange.backend;
        if (backend != null && !backend.isOver() && (exchange.client.isOver() || chance.oneIn(2))) {
            backend.breakOff();
        } else {
            exchange.client.breakOff();
        }
    }

    private void turnUntilFinished() {
        for (int turns = 0; !kernel.isFinished(); turns++) {
            assertThat(turns).as("turns, %s", exchanges).isLessThan(TURNS_MAX);
            if (isEveryClientPassive()) {
                kernel.heal(); // else it would find something to go wrong for ever
            }
            inside = true;
            loop.turn();
            inside = false;
            long now = kernel.nanoTime();
            long mayBeOpen = exchanges.stream()
                    .filter(exchange -> !exchange.mustBeOver(now))
                    .count();
            assertThat(open())
                    .as("sessions whose client or backend has left for good are still open, now=%s: %s", now, exchanges)
                    .isLessThanOrEqualTo(mayBeOpen);
        }
    }

    /** Backends may wait for what never comes, in a stream that is half-closed. */
    private boolean isEveryClientPassive() {
        return exchanges.stream().allMatch(exchange -> exchange.client.isPassive());
    }

    private boolean isEverythingOver() {
        return open() == 0 && loop.statistics().openConnections() == 0;
    }

    private long open() {
        return accepted() - gateway.counters().get(Metric.CONNECTION_ENDS);
    }

    private long accepted() {
        return gateway.counters().get(Metric.CONNECTIONS_ACCEPTED);
    }

    // --- what has come of it ----------------------------------------------------------------------------------------

    /** Returns the exceptions thrown so far. */
    List<Throwable> uncaught() {
        return uncaught;
    }

    /** Returns the number of clients that the gateway has never accepted. */
    long neverAccepted() {
        return exchanges.size() - accepted();
    }

    /** The gateway's own errors. */
    List<String> errors() {
        return errors;
    }

    /** Honest clients that were not served. */
    List<String> notServed() {
        return exchanges.stream()
                .filter(exchange -> exchange.honest)
                .filter(exchange ->
                        !exchange.client.hasMetCleanEnd() || exchange.client.received().length != exchange.honestBytes)
                .map(Exchange::toString)
                .toList();
    }

    /** Returns the answers that no client may receive. */
    List<String> complaints() {
        return exchanges.stream()
                .filter(exchange -> !complaint(exchange).isEmpty())
                .map(exchange -> complaint(exchange) + exchange)
                .toList();
    }

    private static String complaint(Exchange exchange) {
        RecordSequence sequence = exchange.sequence;
        return sequence == null ? "" : sequence.complaint();
    }

    /** Asserts that all counts are as at the start, and each session has ended once. */
    void assertNothingHeld() {
        ServedListener listener = gateway.listeners().getFirst().served();
        assertThat(gateway.counters().ends().values().stream()
                        .mapToLong(Long::longValue)
                        .sum())
                .as("ends, each counted once: %s", gateway.counters().ends())
                .isEqualTo(accepted());
        assertThat(admission.connectionsNow()).as("connections admitted").isZero();
        assertThat(admission.addressesNow()).as("addresses").isZero();
        assertThat(admission.handshakesInFlight()).as("handshakes in flight").isZero();
        assertThat(listener.holders()).as("sessions that hold it").isZero();
        assertThat(listener.connectionsNow()).as("connections of the listener").isZero();
        assertThat(gateway.gate().isEmpty()).as("handshake queue empty").isTrue();
        BackendPool pool = Objects.requireNonNull(listener.router().route("", ""));
        for (PoolServer server : pool.servers().all()) {
            assertThat(server.connections())
                    .as("connections to server %s", server.name())
                    .isZero();
        }
        assertThat(loop.loopCrypto().leasedBuffers()).as("record buffers").isZero();
    }

    /** The end of the loop: what it cannot give back is among what was thrown. */
    @Override
    public void close() {
        kernel.heal();
        loop.end();
        exchanges.forEach(exchange -> exchange.client.close());
        gateway.freeContexts();
        sharedBackends.close();
        assertThat(kernel.openDescriptors()).as("open descriptors").isZero();
    }
}
