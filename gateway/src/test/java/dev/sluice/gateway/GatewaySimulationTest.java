package dev.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.log.LogLevel;
import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.BackendConfig.ConnectMode;
import dev.sluice.config.model.Balance;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.LimitsConfig;
import dev.sluice.config.model.ListenerConfig;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.config.model.RouteConfig;
import dev.sluice.config.model.TicketConfig;
import dev.sluice.config.model.TlsOptions;
import dev.sluice.config.model.TransportChoice;
import dev.sluice.ffi.libc.Errno;
import dev.sluice.gateway.admission.Admission;
import dev.sluice.gateway.backend.BackendConnector;
import dev.sluice.gateway.backend.BackendPool;
import dev.sluice.gateway.backend.Backends;
import dev.sluice.gateway.backend.HealthLines;
import dev.sluice.gateway.backend.PoolServer;
import dev.sluice.gateway.certificate.LoadedCertificates;
import dev.sluice.gateway.certificate.ServerContexts;
import dev.sluice.gateway.earlydata.EarlyDataPolicies;
import dev.sluice.gateway.log.GatewayLog;
import dev.sluice.gateway.outcome.EndSide;
import dev.sluice.gateway.outcome.LoopCounters;
import dev.sluice.gateway.reload.LoopReload;
import dev.sluice.gateway.session.GatewayLoop;
import dev.sluice.gateway.session.Relay;
import dev.sluice.memory.Ledger;
import dev.sluice.net.AcceptHandler;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.EventLoop.Backend;
import dev.sluice.net.EventLoopConfig;
import dev.sluice.net.ListenerOptions;
import dev.sluice.net.TcpConnection;
import dev.sluice.net.internal.Loop;
import dev.sluice.simulator.Chance;
import dev.sluice.simulator.Channel;
import dev.sluice.simulator.Faults;
import dev.sluice.simulator.MemorySocket;
import dev.sluice.simulator.Pattern;
import dev.sluice.simulator.RemoteServer;
import dev.sluice.simulator.RingRules;
import dev.sluice.simulator.ScriptedPeer;
import dev.sluice.simulator.ScriptedPeer.Script;
import dev.sluice.simulator.Seeds;
import dev.sluice.simulator.SimulatedKernel;
import dev.sluice.testkit.NativeBalance;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.tls.context.SharedContext;
import dev.sluice.tls.context.TlsContext;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The gateway between clients and backends on a kernel in memory that goes wrong as seeds tell. */
final class GatewaySimulationTest {
    private static final int RELAY_SEEDS = 1_000;
    private static final int TLS_SEEDS = 60;
    private static final int PORT = 4433;
    private static final int BACKEND_PORT = 8080;
    private static final int REFUSING_PORT = 8081;
    private static final int SILENT_PORT = 8082;
    private static final int MOST_SOCKET_BYTES = 100_000;
    private static final int MOST_BYTES = 300_000;
    private static final int FILLS_MAX = 40;
    private static final int[] BUFFERS = {16, 128, 512};
    /** Added to a client's stream for the answer to it. */
    private static final int ANSWERS = 100;

    private static final int TURNS_MAX = 100_000;

    /** Most of the time that one side tries to send in vain before it leaves. */
    private static final int STUCK_MILLIS_MAX = 500;

    /** The longest simulated time from a reset to the end of its session. */
    private static final long LEFT_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

    @RegisterExtension
    final NativeBalance<?> balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    @ParameterizedTest
    @EnumSource
    void relaysEachByteOnceAndReportsEachEnd(Backend transport) {
        Seeds.run(RELAY_SEEDS, seed -> {
            try (World world = new World(new Chance(seed), transport, 200);
                    PlainGateway gateway = new PlainGateway(world)) {
                world.loop.listen(World.ADDRESS, ListenerOptions.defaults(), gateway);
                world.run(socket -> socket, () -> gateway.open == 0);
            }
        });
    }

    /** RSA, since the length of an ECDSA signature is a matter of chance that no seed rules. */
    @ParameterizedTest
    @EnumSource
    void relaysEachByteOnceAndReportsEachEndWithTls(Backend transport) {
        try (TlsContext clients =
                TlsContext.client().trust(TestCertificates.shared().rootFile()).build()) {
            Seeds.run(TLS_SEEDS, seed -> {
                try (World world = new World(new Chance(seed), transport, 2_000)) {
                    world.serveTls();
                    world.run(socket -> new TlsChannel(socket, clients), world::isQuiet);
                }
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void endsTheSessionOnResetThoughTheOtherSideDoesNotRead(Backend transport) {
        Seeds.run(RELAY_SEEDS / 2, seed -> {
            try (World world = World.withResources(seed, transport, 200);
                    PlainGateway gateway = new PlainGateway(world)) {
                world.loop.listen(World.ADDRESS, ListenerOptions.defaults(), gateway);
                world.runWithoutReader(socket -> socket, () -> gateway.open == 0);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void endsTheSessionOnResetWithTls(Backend transport) {
        try (TlsContext clients =
                TlsContext.client().trust(TestCertificates.shared().rootFile()).build()) {
            Seeds.run(TLS_SEEDS, seed -> {
                try (World world = World.withResources(seed, transport, 2_000)) {
                    world.serveTls();
                    world.runWithoutReader(socket -> new TlsChannel(socket, clients), world::isQuiet);
                }
            });
        }
    }

    /** A session without TLS: accepts, connects to the backend, relays. */
    private static final class PlainGateway implements AcceptHandler, AutoCloseable {
        private final World world;
        private final BackendPool pool;
        private final LoopCounters counters = new LoopCounters("plain gateway");
        int open;

        PlainGateway(World world) {
            this.world = world;
            this.pool = new BackendPool(HealthLines.target(world.backend(), new HealthLines()), 0);
        }

        @Override
        public void onAccepted(TcpConnection client, SocketAddress peer) {
            open++;
            PlainSession session = new PlainSession(client);
            client.handler(new IgnoringHandler() {
                @Override
                public void onClosed(Connection connection) {
                    session.clientClosed();
                }
            });
            new BackendConnector(world.loop, pool, counters, session).start();
        }

        @Override
        public void onAcceptFailed(ConnectionFailure failure) {
            // The listener goes on by itself.
        }

        @Override
        public void close() {
            counters.close();
        }

        private final class PlainSession implements BackendConnector.Outcome {
            private final TcpConnection client;
            private boolean clientClosed;
            private boolean backendOver;

            PlainSession(TcpConnection client) {
                this.client = client;
            }

            @Override
            public boolean isBackendWanted() {
                return !clientClosed;
            }

            @Override
            public byte[] header() {
                return new byte[0];
            }

            @Override
            public InetAddress clientAddress() {
                return InetAddress.getLoopbackAddress();
            }

            @Override
            public long nanoTime() {
                return 0;
            }

            @Override
            public void onBackendConnected(Connection backend, PoolServer server) {
                Relay relay = new PlainRelay(this, backend);
                relay.attach();
                if (clientClosed) {
                    relay.abort();
                } else {
                    relay.start();
                }
            }

            @Override
            public void onBackendUnavailable(EndSide side, ConnectionFailure failure) {
                world.backendUnavailable();
                backendClosed();
                client.abort();
            }

            void clientClosed() {
                assertThat(clientClosed).as("a second end of the client").isFalse();
                clientClosed = true;
                overWhenBothAre();
            }

            void backendClosed() {
                assertThat(backendOver).as("a second end of the backend").isFalse();
                backendOver = true;
                overWhenBothAre();
            }

            private void overWhenBothAre() {
                if (clientClosed && backendOver) {
                    open--;
                }
            }
        }

        private final class PlainRelay extends Relay {
            private final PlainSession session;

            PlainRelay(PlainSession session, Connection backend) {
                super(session.client, backend, world.heldBytes);
                this.session = session;
            }

            public @Override void onClientClosed() {
                session.clientClosed();
            }

            public @Override void onBackendClosed() {
                session.backendClosed();
            }

            public @Override void onBytesToBackend(int count) {}

            public @Override void onBytesToClient(int count) {}

            public @Override void onClientFailed(ConnectionFailure failure) {}

            public @Override void onBackendFailed(ConnectionFailure failure) {}
        }
    }

    /** A loop on a kernel in memory, backends, and clients that each exchange one stream for another. */
    private static final class World implements AutoCloseable {
        static final InetSocketAddress ADDRESS = new InetSocketAddress(InetAddress.getLoopbackAddress(), PORT);

        final Chance chance;
        final Loop loop;
        final long heldBytes;
        private final Faults faults;
        private final SimulatedKernel kernel;
        private final List<Throwable> uncaught = new ArrayList<>();
        private final List<String> errors = new ArrayList<>();
        private final List<ScriptedPeer> clients = new ArrayList<>();
        private final List<MemorySocket> unknown = new ArrayList<>();
        private final List<ScriptedPeer> backends = new ArrayList<>();
        private final Backends sharedBackends = new Backends(GatewayLog.NONE);
        private RemoteServer server = this::backendConnected;
        private @Nullable GatewayLoop gateway;

        World(Chance chance, Backend transport, int leastSocketBytes) {
            this(chance, Faults.by(chance), transport, leastSocketBytes);
        }

        /** One in which each backend that listens is reached. */
        static World withResources(long seed, Backend transport, int leastSocketBytes) {
            Chance chance = new Chance(seed);
            return new World(chance, Faults.by(chance).withResources(), transport, leastSocketBytes);
        }

        private World(Chance chance, Faults faults, Backend transport, int leastSocketBytes) {
            this.chance = chance;
            this.faults = faults;
            this.kernel = new SimulatedKernel(chance, faults, leastSocketBytes, MOST_SOCKET_BYTES);
            kernel.ringRules = RingRules.by(chance);
            this.heldBytes = chance.sized(1, 200_000);
            EventLoopConfig config = EventLoopConfig.defaults()
                    .withName("simulated")
                    .withBackend(transport)
                    .withMaxBuffers(BUFFERS[chance.below(BUFFERS.length)])
                    .withRingEntries(chance.oneIn(2) ? 8 : 64)
                    .withUncaughtHandler((where, what, thrown) -> uncaught.add(thrown));
            this.loop = Loop.driven(config, kernel);
        }

        BackendConfig backend() {
            kernel.ignore(SILENT_PORT);
            kernel.serve(BACKEND_PORT, socket -> server.onConnection(socket));
            List<SocketAddress> servers = new ArrayList<>();
            for (int i = chance.below(3); i > 0; i--) {
                servers.add(at(chance.oneIn(2) ? REFUSING_PORT : SILENT_PORT));
            }
            servers.add(at(BACKEND_PORT));
            return Copies.of(new BackendConfig(
                            "backend", servers, Balance.ROUND_ROBIN, ProxyProtocol.NONE, Duration.ofMillis(50)))
                    .connect(chance.oneIn(2) ? ConnectMode.ON_DATA : ConnectMode.AT_ONCE)
                    .build();
        }

        private static SocketAddress at(int port) {
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        }

        private void backendConnected(MemorySocket socket) {
            unknown.add(socket);
            kernel.add(() -> unknown.contains(socket) && identify(socket));
        }

        /** The first byte tells which client's stream this is. */
        private boolean identify(MemorySocket socket) {
            byte[] first = new byte[1];
            int count = socket.read(first, 0, 1);
            if (count == -Errno.EAGAIN) {
                return false;
            }
            unknown.remove(socket);
            if (count == 1) {
                int client = 0;
                while (Pattern.at(client, 0) != first[0]) {
                    client++;
                }
                serve(socket, client);
            } else {
                assertThat(clients)
                        .as("who may have left before the first byte")
                        .anyMatch(ScriptedPeer::hasMisbehaved);
                socket.close();
            }
            return true;
        }

        private void serve(MemorySocket socket, int client) {
            int bytes = chance.sized(1, Math.min(MOST_BYTES, socket.capacity() * FILLS_MAX)) - 1;
            ScriptedPeer peer = clients.get(client);
            Script script = peer.script().answeredBy(bytes, breaksAfter(bytes));
            ScriptedPeer backend = new ScriptedPeer(kernel, socket, script);
            backend.alreadyReceived(1);
            backend.counterpart(peer, script.expectBytes());
            peer.counterpart(backend, bytes);
            backends.add(backend);
        }

        private int breaksAfter(int bytes) {
            return chance.oneIn(6) ? chance.below(2 * bytes + 1) : -1;
        }

        void run(Function<MemorySocket, Channel> channels, BooleanSupplier gatewayIsDone) {
            for (int client = 0, count = chance.between(1, 4); client < count; client++) {
                MemorySocket socket = Objects.requireNonNull(kernel.dial(PORT));
                int bytes = chance.sized(1, Math.min(MOST_BYTES, socket.capacity() * FILLS_MAX));
                Script script = new Script(client, bytes, ANSWERS + client, 0, breaksAfter(bytes), chance.oneIn(2));
                clients.add(new ScriptedPeer(kernel, channels.apply(socket), script));
            }
            if (gateway != null && faults.noResources() > 0) {
                backendUnavailable(); // possible at any time, and told with close_notify
            }
            kernel.endWhen(() -> gatewayIsDone.getAsBoolean()
                    && unknown.isEmpty()
                    && clients.stream().allMatch(ScriptedPeer::isOver)
                    && backends.stream().allMatch(ScriptedPeer::isOver));
            for (int turns = 0; !kernel.isFinished(); turns++) {
                assertThat(turns).as("turns, %s, %s", clients, backends).isLessThan(TURNS_MAX);
                loop.turn();
                assertThat(uncaught).isEmpty();
            }
        }

        /** One side sends until nothing is taken any more, since the other one reads nothing, and leaves. */
        void runWithoutReader(Function<MemorySocket, Channel> channels, BooleanSupplier gatewayIsDone) {
            StuckSender sender = new StuckSender(kernel, chance, 0);
            MemorySocket socket = Objects.requireNonNull(kernel.dial(PORT));
            Channel client = channels.apply(socket);
            if (chance.oneIn(2)) {
                server = silent -> {};
                sender.send(client);
            } else {
                server = sender::send;
                leaveWhenEnded(socket, client);
                boolean[] greeted = new boolean[1];
                kernel.add(() -> !greeted[0] && (greeted[0] = client.write(new byte[1], 0, 1) > 0));
            }
            loop.schedule(chance.sized(1, STUCK_MILLIS_MAX), sender::leave);
            for (int turns = 0; !sender.hasLeft() || !gatewayIsDone.getAsBoolean(); turns++) {
                assertThat(turns).as("turns").isLessThan(TURNS_MAX);
                loop.turn();
                assertThat(uncaught).isEmpty();
            }
            assertThat(sender.nanosSince()).isLessThan(LEFT_NANOS_MAX);
            client.close();
        }

        /**
         * A client that reads nothing sees it all the same when the gateway ends in order, having reached no backend.
         */
        private void leaveWhenEnded(MemorySocket socket, Channel client) {
            boolean[] left = new boolean[1];
            kernel.add(() -> {
                boolean leaves = !left[0] && socket.hasPeerEnded();
                if (leaves) {
                    left[0] = true;
                    client.close();
                }
                return leaves;
            });
        }

        /** No backend could be had, for want of descriptors: nobody knows whose. */
        void backendUnavailable() {
            clients.forEach(ScriptedPeer::expectReset);
        }

        void serveTls() {
            RouteConfig route = RouteConfig.toAll(backend());
            ListenerConfig listener = new ListenerConfig(
                    ADDRESS,
                    List.of(GatewayFixture.certificate(
                            "test", "localhost", TestCertificates.shared().serverRsa())),
                    List.of(),
                    TlsOptions.DEFAULT,
                    List.of(route),
                    "");
            GatewayConfig config = new GatewayConfig(
                    List.of(listener),
                    listener.certificates(),
                    List.of(route.backend()),
                    Copies.of(LimitsConfig.DEFAULT).heldBytes(heldBytes).build(),
                    1,
                    TransportChoice.AUTO,
                    TicketConfig.DEFAULT,
                    Duration.ZERO);
            sharedBackends.prepare(config);
            GatewayLoop served = new GatewayLoop(
                    loop,
                    0,
                    config,
                    new Admission(1000, 0),
                    new EarlyDataPolicies(InstantSource.system(), () -> null),
                    sharedBackends,
                    this::log);
            gateway = served;
            new LoopReload(served, config, List.of(contextOf(config)), new ArrayList<>(), List.of(List.of())).commit();
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

        boolean isQuiet() {
            return loop.statistics().openConnections() == 0;
        }

        /** The end of the loop leaves nothing behind, whatever came before. */
        @Override
        public void close() {
            kernel.heal();
            loop.end();
            clients.forEach(ScriptedPeer::leave);
            if (gateway != null) {
                gateway.freeContexts();
            }
            sharedBackends.close();
            assertThat(uncaught).isEmpty();
            assertThat(errors).isEmpty();
            assertThat(kernel.openDescriptors()).as("open descriptors").isZero();
        }
    }
}
