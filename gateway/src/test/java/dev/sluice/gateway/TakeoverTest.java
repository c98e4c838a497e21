package dev.sluice.gateway;

import static dev.sluice.gateway.GatewayFixture.backend;
import static dev.sluice.gateway.GatewayFixture.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.config.model.AdminConfig;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.ListenerConfig;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.config.model.TicketConfig;
import dev.sluice.config.model.TicketStoreConfig;
import dev.sluice.config.model.TransportChoice;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.outcome.GatewayStartException;
import dev.sluice.gateway.restart.InheritedSockets;
import dev.sluice.gateway.restart.Takeover;
import dev.sluice.net.EventLoop;
import dev.sluice.testkit.FreePort;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** One gateway takes the place of another while clients come and go, with as many loops, fewer, and more. */
@ParameterizedClass
@MethodSource("dev.sluice.gateway.Transports#available")
class TakeoverTest {
    private static final int CLIENTS = 3;
    private static final int AFTERWARDS = 60;
    private static final int MANY_LISTENERS = 400;

    @Parameter
    @SuppressWarnings("NullAway.Init")
    EventLoop.Backend transport;

    @TempDir
    Path directory = Path.of("");

    @SuppressWarnings("NullAway.Init")
    private GatewayFixture fixture;

    @BeforeEach
    void open() {
        fixture = new GatewayFixture(transport);
    }

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    private Path admin() {
        return directory.resolve("admin.sock");
    }

    private GatewayConfig config(int loops, Path admin) {
        TestBackend echo = fixture.closing(TestBackend.echoing());
        GatewayConfig plain = fixture.config(route(backend("echo", ProxyProtocol.NONE, echo.address())));
        return Copies.of(withAdmin(plain, admin)).loops(loops).build();
    }

    private static GatewayConfig withAdmin(GatewayConfig config, Path admin) {
        return config.withOcsp(null).withAdmin(new AdminConfig(admin, null));
    }

    @ParameterizedTest
    @CsvSource({"2, 2", "3, 1", "1, 3"})
    void nobodyIsRefused(int loopsBefore, int loopsAfter) throws Exception {
        Gateway old = fixture.start(config(loopsBefore, admin()));
        CompletableFuture<Boolean> drained = new CompletableFuture<>();
        old.onDrainRequest(() -> Thread.ofPlatform().start(() -> drained.complete(drain(old))));
        InetSocketAddress address = old.addresses().getFirst();
        AtomicBoolean done = new AtomicBoolean();
        AtomicInteger served = new AtomicInteger();
        try (ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<Integer>> counts = new ArrayList<>();
            Callable<Integer> client = () -> comesAndGoes(address, done, served);
            for (int i = 0; i < CLIENTS; i++) {
                counts.add(clients.submit(client));
            }
            awaitServed(served, AFTERWARDS);

            Gateway next = replace(loopsAfter);
            assertThat(drained.get()).isTrue();
            old.close();
            awaitServed(served, served.get() + AFTERWARDS);
            done.set(true);

            for (Future<Integer> count : counts) {
                assertThat(count.get()).isPositive();
            }
            assertThat(next.addresses()).containsExactly(address);
            assertThat(next.metrics().count(Metric.CONNECTIONS_ACCEPTED)).isGreaterThanOrEqualTo(AFTERWARDS - CLIENTS);
        }
    }

    private static boolean drain(Gateway gateway) {
        try {
            return gateway.drain(GatewayFixture.LIMIT);
        } catch (InterruptedException e) {
            return false;
        }
    }

    private Gateway replace(int loops) throws IOException {
        try (Takeover takeover = Objects.requireNonNull(Takeover.begin(admin()))) {
            Gateway next = fixture.closing(Gateway.start(config(loops, admin()), fixture::line, takeover.sockets()));
            assertThat(takeover.sockets().isEmpty()).isTrue();
            takeover.complete();
            next.lookAgain();
            return next;
        }
    }

    private static int comesAndGoes(InetSocketAddress address, AtomicBoolean done, AtomicInteger served)
            throws IOException {
        int count = 0;
        while (!done.get()) {
            try (SSLSocket socket = TlsClient.plain().connect(address)) {
                socket.getOutputStream().write('x');
                assertThat(socket.getInputStream().read()).isEqualTo('x');
            }
            count++;
            served.incrementAndGet();
        }
        return count;
    }

    private static void awaitServed(AtomicInteger served, int count) {
        Waiting.until(GatewayFixture.LIMIT, () -> served.get() >= count, () -> served + " served, not " + count);
    }

    @Test
    void whereNobodyListensThereIsNothingToReplace() throws IOException {
        assertThat(Takeover.begin(directory.resolve("absent"))).isNull();
    }

    /** The kernel holds some hundred messages for one who does not read them yet: as many as the send buffer takes. */
    @Test
    void asManyListenersAsThereArePassTheirSocketsOn() throws IOException {
        GatewayConfig one = config(1, admin());
        ListenerConfig like = one.listeners().getFirst();
        List<ListenerConfig> listeners = new ArrayList<>();
        for (int i = 0; i < MANY_LISTENERS; i++) {
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.onLoopback());
            listeners.add(new ListenerConfig(
                    address, like.certificates(), like.alpn(), like.tls(), like.routes(), "test.yaml:2:1"));
        }
        GatewayConfig many = Copies.of(one).listeners(listeners).build();
        List<InetSocketAddress> addresses = fixture.start(many).addresses();

        try (Takeover takeover = Objects.requireNonNull(Takeover.begin(admin()))) {
            GatewayConfig next = withAdmin(many, directory.resolve("next.sock"));
            Gateway gateway = fixture.closing(Gateway.start(next, fixture::line, takeover.sockets()));
            assertThat(gateway.addresses()).isEqualTo(addresses).hasSize(MANY_LISTENERS);
            assertThat(takeover.sockets().isEmpty()).isTrue();
        }
    }

    @Test
    void aGatewayThatIsEmbeddedPassesItsSocketsOnAndIsEndedByItsOwner() throws IOException {
        fixture.start(config(1, admin()));
        try (Takeover takeover = Objects.requireNonNull(Takeover.begin(admin()))) {
            assertThat(takeover.sockets().isEmpty()).isFalse();
            assertThatThrownBy(takeover::complete).hasMessageContaining("part of another program");
        }
    }

    @Test
    void whoeverDrainsPassesNothingOn() throws Exception {
        Gateway old = fixture.start(config(1, admin()));
        old.drain(Duration.ofSeconds(5));

        assertThatThrownBy(() -> Takeover.begin(admin()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("this gateway has begun to drain")
                .hasMessageContaining("without --replace");
    }

    /** The mistake of a second start: what runs keeps its port, its admin socket and its ticket keys. */
    @Test
    void aSecondStartLeavesTheRunningGatewayAlone() throws Exception {
        Path keys = directory.resolve("keys");
        TicketConfig tickets = new TicketConfig(
                TicketConfig.DEFAULT.rotate(),
                TicketConfig.DEFAULT.keep(),
                new TicketStoreConfig.Local(keys, null),
                TicketConfig.DEFAULT.sharing());
        GatewayConfig config = Copies.of(config(1, admin())).tickets(tickets).build();
        Gateway running = fixture.start(config);
        GatewayConfig samePort =
                Copies.of(config).listeners(List.of(at(config, running))).build();
        FileTime written = Files.getLastModifiedTime(keys);
        String content = Files.readString(keys, StandardCharsets.ISO_8859_1);

        assertThatThrownBy(() -> Gateway.start(samePort, fixture::line))
                .isInstanceOf(GatewayStartException.class)
                .hasMessageContaining("is in use");
        assertThatThrownBy(() -> Gateway.start(config, fixture::line))
                .as("on another port, with the same admin socket")
                .isInstanceOf(GatewayStartException.class)
                .hasMessageContaining(admin().toString())
                .hasMessageContaining("another gateway is running");

        assertThat(Files.readString(keys, StandardCharsets.ISO_8859_1)).isEqualTo(content);
        assertThat(Files.getLastModifiedTime(keys)).isEqualTo(written);
        try (Takeover answers = Objects.requireNonNull(Takeover.begin(admin()))) {
            assertThat(answers.sockets().isEmpty()).isFalse();
        }
        running.close();
        assertThat(admin()).doesNotExist();
    }

    private static ListenerConfig at(GatewayConfig config, Gateway running) {
        ListenerConfig like = config.listeners().getFirst();
        return new ListenerConfig(
                running.addresses().getFirst(),
                like.certificates(),
                like.alpn(),
                like.tls(),
                like.routes(),
                "test.yaml:2:1");
    }

    @Test
    void theNextOneStartsWhileTheFirstDrains() throws Exception {
        Gateway old = fixture.start(config(1, admin()));
        CompletableFuture<Boolean> drained = new CompletableFuture<>();
        try (SSLSocket open = TlsClient.plain().connect(old.addresses().getFirst())) {
            open.getOutputStream().write('x');
            assertThat(open.getInputStream().read()).isEqualTo('x');
            Thread.ofPlatform().start(() -> drained.complete(drain(old)));
            Waiting.until(GatewayFixture.LIMIT, old::isEnding, () -> "it does not drain");

            fixture.start(config(1, admin()));
        }
        assertThat(drained.get()).isTrue();
        old.close();
        assertThat(admin()).exists();
        Objects.requireNonNull(Takeover.begin(admin())).close();
    }

    @Test
    void theOtherTransportCannotShareASocket() throws IOException {
        fixture.start(config(1, admin()));
        TransportChoice other = transport == EventLoop.Backend.EPOLL ? TransportChoice.IO_URING : TransportChoice.EPOLL;
        if (Transports.available().size() < 2) {
            return;
        }
        try (Takeover takeover = Objects.requireNonNull(Takeover.begin(admin()))) {
            InheritedSockets sockets = takeover.sockets();
            GatewayConfig config = config(1, directory.resolve("other.sock")).withTransport(other);

            assertThatThrownBy(() -> Gateway.start(config, fixture::line, sockets))
                    .hasMessageContaining("the running gateway accepts on ")
                    .hasMessageContaining("start this one with --transport ");
        }
    }

    @Test
    void aServiceManagersSocketsAreForAnotherProcess() {
        assertThat(InheritedSockets.ofServiceManager(Map.of("LISTEN_FDS", "1", "LISTEN_PID", "1"))
                        .isEmpty())
                .isTrue();
        assertThat(InheritedSockets.ofServiceManager(Map.of()).isEmpty()).isTrue();
    }
}
