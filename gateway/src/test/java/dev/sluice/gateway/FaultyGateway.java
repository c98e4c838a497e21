package dev.sluice.gateway;

import dev.sluice.config.log.LogLevel;
import dev.sluice.config.model.AcceptPolicy;
import dev.sluice.config.model.AddressRange;
import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.BackendTlsConfig;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.HandshakeLimits;
import dev.sluice.config.model.LimitsConfig;
import dev.sluice.config.model.ListenerConfig;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.config.model.RouteConfig;
import dev.sluice.config.model.RouteTls;
import dev.sluice.config.model.ServerNamePattern;
import dev.sluice.config.model.TicketConfig;
import dev.sluice.config.model.TlsOptions;
import dev.sluice.config.model.TlsVersion;
import dev.sluice.config.model.TransportChoice;
import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.gateway.admission.AddressKey;
import dev.sluice.gateway.admission.Admission;
import dev.sluice.gateway.backend.BackendPool;
import dev.sluice.gateway.backend.Backends;
import dev.sluice.gateway.backend.PoolServer;
import dev.sluice.gateway.backend.Rendezvous;
import dev.sluice.gateway.certificate.LoadedCertificates;
import dev.sluice.gateway.certificate.ServerContexts;
import dev.sluice.gateway.earlydata.EarlyDataPolicies;
import dev.sluice.gateway.log.GatewayLog;
import dev.sluice.gateway.log.UncaughtLog;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.outcome.LoopCounters;
import dev.sluice.gateway.reload.LoopReload;
import dev.sluice.gateway.session.GatewayLoop;
import dev.sluice.gateway.session.ListeningSocket;
import dev.sluice.gateway.tickets.TicketKeyException;
import dev.sluice.gateway.tickets.TicketKeyLog;
import dev.sluice.gateway.tickets.TicketKeys;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.Ledger.Balance;
import dev.sluice.net.EventLoop;
import dev.sluice.net.EventLoopConfig;
import dev.sluice.net.loop.EventLoops;
import dev.sluice.testkit.Descriptors;
import dev.sluice.testkit.FreePort;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.tls.context.ProtocolVersion;
import dev.sluice.tls.context.SharedContext;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.engine.LoopCrypto;
import dev.sluice.tls.engine.TlsSession;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A gateway of one loop on real sockets, with a listener for each way to a backend, whose every count can be read: to
 * see that all returns to the start.
 *
 * <p>No limit of time ends a session here but that of closing: one that is ended by none has been forgotten.
 */
public final class FaultyGateway implements AutoCloseable {
    /** The number of bytes that a backend sends on its own, and receives in turn: several records, and a small one. */
    public static final int PUSHED_BYTES = 50_000;

    /** The number of bytes that a client sends before its backend breaks the connection. */
    public static final int BEFORE_RESET_BYTES = 100;

    private static final String LOOP = "faulty";
    private static final Duration NEVER = Duration.ofMinutes(10);
    private static final long CLOSE_TIMEOUT_MILLIS = 300;
    private static final long CALL_SECONDS = 10;

    /** Accounts of memory that is taken as needed and kept, whose leases are looked at instead. */
    private static final List<String> KEPT = List.of(LOOP + " buffers", "record buffers", LoopCrypto.UNUSED_KEYS);

    /** The loop does not respond any more: it has ended, or hangs. */
    public static final class GatewayDownException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        GatewayDownException(Throwable cause) {
            super("the loop does not respond any more", cause);
        }
    }

    /** A listener with the backend behind it. */
    public enum Way {
        /** Sends back what comes, and ends when the other side does. */
        ECHO,
        /** Sends, ends, and takes what comes. */
        PUSH,
        /** Breaks the connection. */
        RESET,
        /** Sends back over TLS what comes, behind a PROXY header. */
        TLS,
        /** The same as {@link #ECHO}, behind a server that refuses. */
        SECOND_SERVER,
        /** The same as {@link #ECHO}, with a proxy before the gateway. */
        PROXIED,
        /** The client's TLS goes to a server that answers it, and sends back what comes. */
        PASSED,
        /** The same as {@link #ECHO}, beside a name whose TLS is passed through. */
        BESIDE_PASSED
    }

    private final List<TestBackend> backends = new ArrayList<>();
    private final Map<Way, Integer> listeners = new EnumMap<>(Way.class);
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final TlsContext client13;
    private final TlsContext client12;
    private final LoopCrypto clientPath;
    private final TicketKeys ticketKeys;
    private final EventLoop eventLoop;
    private final Backends sharedBackends = new Backends(GatewayLog.NONE);
    private final Admission admission = new Admission(1000, 1000, HandshakeLimits.DEFAULT, System.nanoTime());
    private final GatewayLoop gateway;
    private @Nullable TlsSession session;

    /** Starts with a listener for each of these ways. */
    public FaultyGateway(EventLoop.Backend transport, Set<Way> ways) throws IOException {
        this(transport, ways, System::nanoTime);
    }

    /** Reads the time of the gateway from this clock. */
    public FaultyGateway(EventLoop.Backend transport, Set<Way> ways, LongSupplier nanoTime) throws IOException {
        this.client13 = client(ProtocolVersion.TLS_1_3);
        this.client12 = client(ProtocolVersion.TLS_1_2);
        MallocAllocator allocator = new MallocAllocator();
        this.clientPath = new LoopCrypto(allocator, LoopCrypto.MIN_BUFFER_BYTES, 16);
        this.ticketKeys = ticketKeys();
        this.eventLoop = EventLoops.start(EventLoopConfig.defaults()
                .withName(LOOP)
                .withBackend(transport)
                .withMaxBuffers(256)
                .withCloseTimeoutMillis(CLOSE_TIMEOUT_MILLIS)
                .withUncaughtHandler(new UncaughtLog(this::line, System::nanoTime)));
        GatewayConfig config = config(transport, ways);
        sharedBackends.prepare(config);
        this.gateway = new GatewayLoop(
                eventLoop,
                0,
                config,
                admission,
                new EarlyDataPolicies(InstantSource.system(), () -> null),
                sharedBackends,
                this::line,
                nanoTime);
        List<List<Integer>> inherited =
                config.listeners().stream().map(listener -> List.<Integer>of()).toList();
        gateway.run(() -> {
            new LoopReload(gateway, config, contexts(config), new ArrayList<>(), inherited).commit();
            gateway.startSweeping();
        });
    }

    /** Gets a session for clients that resume. */
    public void prepareToResume() throws IOException {
        try (EngineClient client = connect(Way.ECHO, true, false)) {
            client.handshake(1, () -> {});
            client.write(1);
            client.read(1);
            session = client.session();
        }
    }

    private static TlsContext client(ProtocolVersion version) {
        return TlsContext.client()
                .trust(TestCertificates.shared().rootFile())
                .versions(version, version)
                .build();
    }

    private static TicketKeys ticketKeys() {
        try {
            return TicketKeys.start(TicketConfig.DEFAULT, new TicketKeyLog() {
                @Override
                public void info(String line) {}

                @Override
                public void warn(String line) {}
            });
        } catch (TicketKeyException e) {
            throw new IllegalStateException(e);
        }
    }

    // --- its configuration ------------------------------------------------------------------------------------------

    private GatewayConfig config(EventLoop.Backend transport, Set<Way> ways) throws IOException {
        List<ListenerConfig> all = new ArrayList<>();
        for (Way way : ways) {
            listeners.put(way, all.size());
            all.add(listener(way));
        }
        return new GatewayConfig(
                all,
                all.getFirst().certificates(),
                all.stream()
                        .flatMap(listener -> listener.routes().stream())
                        .map(RouteConfig::backend)
                        .toList(),
                new LimitsConfig(NEVER, Duration.ZERO, 0, 0, LimitsConfig.DEFAULT_HELD_BYTES, HandshakeLimits.DEFAULT),
                1,
                transport == EventLoop.Backend.EPOLL ? TransportChoice.EPOLL : TransportChoice.IO_URING,
                TicketConfig.DEFAULT,
                Duration.ZERO);
    }

    private ListenerConfig listener(Way way) throws IOException {
        List<AddressRange> proxies = way == Way.PROXIED ? List.of(AddressRange.parse("127.0.0.0/8")) : List.of();
        return Copies.of(GatewayFixture.listener(List.of(), TlsOptions.DEFAULT, routes(way)))
                .acceptPolicy(new AcceptPolicy(proxies, 1000, Duration.ZERO, false, false))
                .build();
    }

    private RouteConfig[] routes(Way way) throws IOException {
        RouteConfig all = RouteConfig.toAll(backend(way));
        return switch (way) {
            case PASSED -> new RouteConfig[] {passing("localhost", all.backend()), all};
            case BESIDE_PASSED -> new RouteConfig[] {passing("other.example", all.backend()), all};
            case ECHO, PUSH, RESET, TLS, SECOND_SERVER, PROXIED -> new RouteConfig[] {all};
        };
    }

    private static RouteConfig passing(String name, BackendConfig backend) {
        return new RouteConfig(new ServerNamePattern(name), "", backend, RouteTls.PASSTHROUGH);
    }

    private BackendConfig backend(Way way) throws IOException {
        return switch (way) {
            case ECHO, PROXIED, BESIDE_PASSED ->
                backend(way, ProxyProtocol.NONE, begin(TestBackend.serving(FaultyGateway::echo)));
            case PUSH -> backend(way, ProxyProtocol.NONE, begin(TestBackend.serving(FaultyGateway::push)));
            case RESET -> backend(way, ProxyProtocol.NONE, begin(TestBackend.serving(FaultyGateway::readAndReset)));
            case SECOND_SERVER -> {
                SocketAddress second = begin(TestBackend.serving(FaultyGateway::echoBehindLine));
                yield backend(way, ProxyProtocol.V1, refusingBefore(second), second);
            }
            case PASSED -> backend(way, ProxyProtocol.NONE, begin(tlsBackend()));
            case TLS ->
                Copies.of(backend(way, ProxyProtocol.NONE, begin(tlsBackend())))
                        .tls(backendTls())
                        .build();
        };
    }

    private static BackendConfig backend(Way way, ProxyProtocol header, SocketAddress... servers) {
        return Copies.of(new BackendConfig(
                        way.name(), List.of(servers), dev.sluice.config.model.Balance.HASH, header, NEVER))
                .eject(null)
                .build();
    }

    /** A server that refuses, and that a client of this machine is sent to first. */
    private static SocketAddress refusingBefore(SocketAddress second) {
        long key = AddressKey.of(InetAddress.getLoopbackAddress());
        while (true) {
            SocketAddress first = new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.onLoopback());
            Rendezvous order = new Rendezvous(List.of(first, second));
            if (order.score(0, key) > order.score(1, key)) {
                return first;
            }
        }
    }

    private static TestBackend tlsBackend() throws IOException {
        return TlsBackend.serving(
                TestCertificates.shared().server(), false, "TLSv1.3", new String[0], FaultyGateway::echo);
    }

    private static BackendTlsConfig backendTls() {
        return new BackendTlsConfig(
                TestCertificates.shared().rootFile(), "", "localhost", true, null, TlsVersion.TLS_1_2, List.of());
    }

    private SocketAddress begin(TestBackend backend) {
        backends.add(backend);
        return backend.address();
    }

    private List<@Nullable SharedContext> contexts(GatewayConfig config) {
        ServerContexts.Tickets tickets = ServerContexts.Tickets.of(ticketKeys.ring(), TicketConfig.DEFAULT);
        try (LoadedCertificates none = new LoadedCertificates();
                LoadedCertificates loaded = LoadedCertificates.of(config, none)) {
            List<@Nullable SharedContext> contexts = new ArrayList<>();
            for (ListenerConfig listener : config.listeners()) {
                contexts.add(ServerContexts.of(listener, tickets, null, null, null, loaded));
            }
            return contexts;
        }
    }

    // --- what backends do -------------------------------------------------------------------------------------------

    /** At once: what waits for acknowledgements comes in other pieces each time. */
    private static void echo(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        socket.getInputStream().transferTo(socket.getOutputStream());
    }

    private static void push(Socket socket) throws IOException {
        byte[] bytes = new byte[PUSHED_BYTES];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = EngineClient.at(i);
        }
        socket.getOutputStream().write(bytes);
        socket.shutdownOutput();
        socket.getInputStream().transferTo(OutputStream.nullOutputStream());
    }

    private static void readAndReset(Socket socket) throws IOException {
        socket.getInputStream().readNBytes(BEFORE_RESET_BYTES);
        TlsClient.reset(socket);
    }

    private static void echoBehindLine(Socket socket) throws IOException {
        InputStream input = socket.getInputStream();
        for (int next = input.read(); next >= 0 && next != '\n'; ) {
            next = input.read();
        }
        echo(socket);
    }

    // --- what tests do ----------------------------------------------------------------------------------------------

    /** The threads whose calls count. */
    public static Predicate<Thread> threads() {
        return thread -> thread.getName().equals(LOOP);
    }

    /** Connects; the caller closes the client. */
    public EngineClient connect(Way way, boolean newest, boolean resuming) throws IOException {
        return new EngineClient(
                TlsClient.plainSocket(addresses().get(Objects.requireNonNull(listeners.get(way)))),
                newest ? client13 : client12,
                resuming ? session : null,
                clientPath);
    }

    private List<InetSocketAddress> addresses() {
        return gateway.listeners().stream().map(ListeningSocket::address).toList();
    }

    /** Waits until the loop has worked off what its sockets have received by now. */
    public void settle() {
        // A turn takes what the kernel has before it comes to tasks; what that led to may take two more.
        for (int turns = 0; turns < 3; turns++) {
            onLoop(() -> 0);
        }
    }

    private int onLoop(IntSupplier task) {
        CompletableFuture<Integer> result = new CompletableFuture<>();
        try {
            eventLoop.execute(() -> result.complete(task.getAsInt()));
            return result.get(CALL_SECONDS, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new GatewayDownException(e);
        }
    }

    /** Returns the log lines so far. */
    public List<String> lines() {
        return List.copyOf(lines);
    }

    private void line(LogLevel level, String line) {
        lines.add(level + " " + line);
    }

    public LoopCounters counters() {
        return gateway.counters();
    }

    /** Returns true when neither the gateway nor a backend has a connection. */
    public boolean isQuiet() {
        return backends.stream().allMatch(backend -> backend.open() == 0)
                && counters().get(Metric.CONNECTIONS_ACCEPTED) == counters().get(Metric.CONNECTION_ENDS)
                && eventLoop.statistics().openConnections() == 0;
    }

    /** All that is held now, by name; the same at the start and whenever nothing is under way. */
    public Map<String, Long> held() {
        Map<String, Long> held = new TreeMap<>();
        held.put("buffers", (long) onLoop(eventLoop::leasedBuffers));
        held.put("record buffers", (long) onLoop(() -> eventLoop.loopCrypto().leasedBuffers()));
        held.put("holders of listeners", (long) onLoop(this::holders));
        held.put("connections to servers", (long) onLoop(this::serverConnections));
        held.put("handshake queue", (long) onLoop(() -> gateway.gate().isEmpty() ? 0 : 1));
        held.put(
                "sessions",
                counters().get(Metric.CONNECTIONS_ACCEPTED) - counters().get(Metric.CONNECTION_ENDS));
        held.put("connections of the loop", eventLoop.statistics().openConnections());
        held.put("handshakes in flight", (long) admission.handshakesInFlight());
        held.put("connections admitted", (long) admission.connectionsNow());
        held.put("addresses", (long) admission.addressesNow());
        held.put("connections of listeners", (long) ofListeners());
        held.put(
                "connections of backends",
                backends.stream().mapToLong(TestBackend::open).sum());
        held.put("sockets", sockets());
        Ledger.process().balances().forEach((owner, balance) -> putBalance(held, owner, balance));
        return held;
    }

    private static void putBalance(Map<String, Long> held, String owner, Balance balance) {
        if (!KEPT.contains(owner)) {
            held.put("ledger: " + owner, balance.count());
        }
    }

    private int holders() {
        return gateway.listeners().stream()
                .mapToInt(listener -> listener.served().holders())
                .sum();
    }

    private int serverConnections() {
        int sum = 0;
        for (ListeningSocket listener : gateway.listeners()) {
            BackendPool pool = Objects.requireNonNull(listener.served().router().route("", ""));
            for (PoolServer server : pool.servers().all()) {
                sum += Math.abs(server.connections());
            }
        }
        return sum;
    }

    private int ofListeners() {
        return gateway.listeners().stream()
                .mapToInt(listener -> listener.served().connectionsNow())
                .sum();
    }

    private static long sockets() {
        return Descriptors.list(ProcessHandle.current().pid()).stream()
                .filter(descriptor -> descriptor.contains("socket:"))
                .count();
    }

    /** Ends what is left; throws when something cannot be given back. */
    @Override
    public void close() {
        if (session != null) {
            session.close();
        }
        try {
            eventLoop.close();
        } finally {
            gateway.freeContexts();
            sharedBackends.close();
            backends.forEach(TestBackend::close);
            ticketKeys.close();
            clientPath.close();
            client13.close();
            client12.close();
        }
    }
}
