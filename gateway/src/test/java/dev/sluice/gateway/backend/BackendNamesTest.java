package dev.sluice.gateway.backend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.Balance;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.config.model.ServerConfig;
import dev.sluice.config.model.ServerConfig.Role;
import dev.sluice.config.yaml.ServiceName;
import dev.sluice.gateway.Copies;
import dev.sluice.gateway.backend.BackendNames.Known;
import dev.sluice.gateway.dns.Resolver;
import dev.sluice.gateway.dns.Resolver.Family;
import dev.sluice.gateway.dns.Resolver.Service;
import dev.sluice.testkit.Waiting;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Names of servers, on answers that the test sets; see DnsServersTest for a real DNS server. */
class BackendNamesTest {
    private static final Duration LIMIT = Waiting.LIMIT;
    private static final String NAME = "web.example";
    private static final String SERVICE = "_http._tcp.shop.example";
    private static final String NUMBER = "192.0.2.1:80";
    private static final String NO_ADDRESS = "WARN backend web: server web.example:8080 is down: web.example does not"
            + " resolve; its servers are used as soon as it resolves";

    private final HealthLines lines = new HealthLines();
    private final TestNames answers = new TestNames();
    private final NameCounts counts = new NameCounts();
    private final NameLookups lookups = new NameLookups();
    private BackendTarget target = target(server -> null, answers, host(1, Role.PRIMARY));

    @AfterEach
    void close() {
        target.release();
        lookups.close();
    }

    // --- addresses --------------------------------------------------------------------------------------------------

    @Test
    void aNameStandsForAllItsAddressesInTheirOrder() {
        lookUp("192.0.2.20", "192.0.2.3");

        assertThat(servers()).containsExactly(NUMBER, "192.0.2.3:8080", "192.0.2.20:8080");
        assertThat(((InetSocketAddress) target.group().config().address(1)).getHostString())
                .as("for TLS and requests")
                .isEqualTo(NAME);
        ServerGroup group = target.group();
        lookUp("192.0.2.3", "192.0.2.20");
        assertThat(target.group()).as("another order is no change").isSameAs(group);
    }

    @Test
    void weightAndRoleOfANameAreThoseOfEachServer() {
        target = target(server -> null, answers, host(7, Role.BACKUP));
        lookUp("192.0.2.2", "192.0.2.3");

        assertThat(target.group().config().servers().subList(1, 3))
                .extracting(ServerConfig::weight, ServerConfig::role)
                .containsOnly(Tuple.tuple(7, Role.BACKUP));
    }

    @Test
    void anAddressThatIsListedTwiceIsOneServer() {
        answers.set("other.example", "192.0.2.2", "192.0.2.3");
        target = target(
                server -> null,
                answers,
                host(5, Role.PRIMARY),
                ServerConfig.of(InetSocketAddress.createUnresolved("other.example", 8080)));
        lookUp("192.0.2.2");

        assertThat(servers()).containsExactly(NUMBER, "192.0.2.2:8080", "192.0.2.3:8080");
        assertThat(target.group().config().servers().get(1).weight()).isEqualTo(5);
    }

    @Test
    void addressesThatAreNoHostsDoNotCount() {
        lookUp("0.0.0.0", "224.0.0.1", "127.0.0.1", "::1");

        assertThat(servers()).as("::1 is 127.0.0.1 once more").containsExactly(NUMBER, "127.0.0.1:8080");
    }

    @Test
    void aNameHasABoundedNumberOfServers() {
        String[] many = IntStream.range(0, NameResolution.SERVERS_MAX + 3)
                .mapToObj(i -> "10.0." + i / 256 + "." + i % 256)
                .toArray(String[]::new);
        lookUp(many);
        lookUp(many);

        assertThat(servers()).hasSize(1 + NameResolution.SERVERS_MAX).contains("10.0.0.255:8080");
        assertThat(lines.lines())
                .containsExactly("WARN backend web: web.example:8080 has 3 servers more than the limit of 256;"
                        + " the first of them in the order of their addresses are used");
    }

    // --- changes ----------------------------------------------------------------------------------------------------

    @Test
    void serversThatStayKeepWhatIsKnownOfThem() throws Exception {
        lookUp("192.0.2.2", "192.0.2.3");
        BackendPool pool = new BackendPool(target, 0);
        PoolServer before = pool.servers().get(2);
        before.opened();
        assertThat(target.change("192.0.2.3:8080", (health, server) -> health.weight(server, 9)))
                .isTrue();
        assertThat(target.change("192.0.2.3:8080", (health, server) -> health.mode(server, ServerMode.DISABLED, 0)))
                .isTrue();

        lookUp("192.0.2.3", "192.0.2.4");

        assertThat(pool.servers().get(1)).isSameAs(before);
        assertThat(pool.servers().get(1).connections()).isEqualTo(1);
        ServerStatus status = target.health().statuses(System.nanoTime()).get(1);
        assertThat(status.config().weight()).isEqualTo(9);
        assertThat(status.mode()).isEqualTo(ServerMode.DISABLED);
        assertThat(status.connections()).isEqualTo(1);
        assertThat(lines.lines())
                .last()
                .isEqualTo(
                        "INFO backend web: web.example:8080 has new servers: 192.0.2.4:8080; has no more, so that they"
                                + " get no new connections: 192.0.2.2:8080");
        pool.free();
    }

    @Test
    void aServerThatGoesIsListedUntilItHasDrained() {
        lookUp("192.0.2.2", "192.0.2.3");
        BackendPool pool = new BackendPool(target, 0);
        PoolServer gone = pool.servers().get(1);
        gone.opened();

        lookUp("192.0.2.3");
        assertThat(pool.servers().all()).doesNotContain(gone);
        assertThat(target.health().statuses(System.nanoTime())).last().satisfies(status -> {
            assertThat(status.server()).isEqualTo("192.0.2.2:8080");
            assertThat(status.state()).isEqualTo("draining");
            assertThat(status.connections()).isEqualTo(1);
        });
        lookUp("192.0.2.2", "192.0.2.3");
        assertThat(target.health().statuses(System.nanoTime()))
                .filteredOn(status -> status.server().equals("192.0.2.2:8080"))
                .as("it is back, with its old connection")
                .singleElement()
                .extracting(ServerStatus::connections)
                .isEqualTo(1);
        lookUp("192.0.2.3");
        gone.closed();
        assertThat(statuses()).containsExactly(NUMBER + " UP", "192.0.2.3:8080 UP");
        pool.free();
    }

    @Test
    void aServerThatComesLaterGetsItsShareSlowly() {
        answers.set(NAME, "192.0.2.2");
        target.names().start(target);
        target.awaitAnswers(System.nanoTime() + LIMIT.toNanos());
        assertThat(share(1)).as("there from the start").isEqualTo(1);

        lookUp("192.0.2.2", "192.0.2.3");
        assertThat(share(1)).isEqualTo(1);
        assertThat(share(2)).isLessThan(1);
    }

    /** Looks the name up by itself when the second is over for which answers hold. */
    @Test
    void aNameIsLookedUpAgainWhenItsTimeToLiveIsOver() {
        answers.set(NAME, "192.0.2.2");
        target.names().start(target);
        target.awaitAnswers(System.nanoTime() + LIMIT.toNanos());

        answers.set(NAME, "192.0.2.9");

        Waiting.until(LIMIT, () -> servers().contains("192.0.2.9:8080"), () -> "not looked up again: " + servers());
    }

    // --- failures ---------------------------------------------------------------------------------------------------

    @Test
    void aNameThatDoesNotResolveAnyMoreKeepsItsServersAndIsLoggedOnce() {
        lookUp("192.0.2.2", "192.0.2.3");
        List<String> before = servers();
        lookUp();
        lookUp();
        answers.silence(NAME);
        lookUp();

        assertThat(servers()).isEqualTo(before);
        assertThat(lines.lines())
                .containsExactly("WARN backend web: lookup of web.example:8080 failed (web.example does not resolve);"
                        + " keeping its servers 192.0.2.2:8080, 192.0.2.3:8080");
        assertThat(counts.lookups()).isEqualTo(4);
        assertThat(counts.failures()).isEqualTo(3);
        answers.silence();
        lookUp("192.0.2.3", "192.0.2.2");
        assertThat(lines.lines()).last().isEqualTo("INFO backend web: web.example:8080 resolves again");
    }

    @Test
    void aQuestionWithoutAnAnswerKeepsItsLastOne() {
        lookUp("192.0.2.2", "2001:db8::2");
        answers.silence(Family.IPV6);
        lookUp("192.0.2.3");

        assertThat(servers()).contains("192.0.2.3:8080").doesNotContain("192.0.2.2:8080");
        assertThat(target.group().config().addresses())
                .as("unless this machine has no IPv6 at all")
                .filteredOn(address -> address.toString().contains("2001:db8"))
                .hasSizeLessThanOrEqualTo(1);
        assertThat(counts.failures()).isEqualTo(1);
    }

    @Test
    void aNameWithoutServersIsDownAndLoggedOnce() {
        target.names().start(target);
        target.awaitAnswers(System.nanoTime() + LIMIT.toNanos());
        lookUp();

        assertThat(statuses()).containsExactly(NUMBER + " UP", "web.example:8080 DOWN");
        assertThat(lines.lines()).containsExactly(NO_ADDRESS);

        answers.set(NAME, "192.0.2.2");

        Waiting.until(LIMIT, () -> servers().contains("192.0.2.2:8080"), () -> "not looked up again");
        assertThat(lines.lines())
                .last()
                .asString()
                .startsWith("INFO backend web: web.example:8080 has the servers 192.0.2.2:8080, after ");
        assertThat(share(1)).as("slow start").isLessThan(1);
    }

    @Test
    void whatWasKnownIsUsedWithoutAWaitForDns() {
        answers.set(NAME, "192.0.2.3");
        target.names().lookUp();
        BackendTarget next = target(target.names()::find, new TestNames(), host(4, Role.PRIMARY));
        next.awaitAnswers(System.nanoTime());

        assertThat(next.group().config().servers())
                .last()
                .isEqualTo(new ServerConfig(new InetSocketAddress("192.0.2.3", 8080), 4, Role.PRIMARY));
        next.release();
    }

    /** DNS that says nothing holds up neither a start nor a look at another name. */
    @Test
    void aNameWithoutAnAnswerIsDownMeanwhile() {
        CountDownLatch silence = new CountDownLatch(1);
        Resolver silent = new Resolver() {
            @Override
            public Answer<InetAddress> addresses(String host, Family family) {
                awaitUninterruptibly(silence);
                return answers.addressesOf(host, family);
            }

            @Override
            public Answer<Service> services(String name) {
                throw new AssertionError("no service is configured");
            }
        };
        answers.set(NAME, "192.0.2.4");
        target = target(server -> null, silent, host(1, Role.PRIMARY));
        target.names().start(target);
        target.awaitAnswers(System.nanoTime());
        assertThat(statuses()).contains("web.example:8080 DOWN");
        assertThat(lines.lines()).singleElement().asString().contains("no answer yet for web.example");

        silence.countDown();

        Waiting.until(LIMIT, () -> statuses().contains("192.0.2.4:8080 UP"), () -> "the answer was not used");
    }

    @Test
    void aResolverThatBreaksIsNoEndOfLookups() {
        target = target(
                server -> null,
                new Resolver() {
                    @Override
                    public Answer<InetAddress> addresses(String host, Family family) {
                        throw new IllegalStateException("no resolver");
                    }

                    @Override
                    public Answer<Service> services(String name) {
                        throw new IllegalStateException("no resolver");
                    }
                },
                host(1, Role.PRIMARY));
        target.names().start(target);
        target.awaitAnswers(System.nanoTime() + LIMIT.toNanos());
        assertThat(lines.lines()).singleElement().asString().contains("cannot be looked up", "no resolver");
    }

    /** Covers what programs that embed the gateway may have configured. */
    @Test
    void anAddressThatIsConfiguredWithItsNameIsNotLookedUp() throws Exception {
        SocketAddress resolved = new InetSocketAddress(
                InetAddress.getByAddress(
                        NAME, InetAddress.ofLiteral("192.0.2.5").getAddress()),
                8080);
        target = target(server -> null, answers, ServerConfig.of(resolved));
        target.names().start(target);
        target.names().lookAgain();
        target.awaitAnswers(System.nanoTime());

        assertThat(servers()).containsExactly(NUMBER, "192.0.2.5:8080");
        assertThat(answers.lookups()).isZero();
    }

    // --- services ---------------------------------------------------------------------------------------------------

    @Test
    void aServiceYieldsPortsWeightsAndBackups() {
        answers.set("one.example.", "192.0.2.2");
        answers.set("two.example.", "192.0.2.4", "192.0.2.3");
        answers.set(
                SERVICE,
                new Service("one.example.", 8081, 10, 20),
                new Service("two.example.", 8082, 10, 0),
                new Service("one.example.", 8083, 20, 5));
        lookUpService();

        assertThat(target.group().config().servers().subList(1, 5))
                .containsExactly(
                        server("192.0.2.2", 8081, 20, Role.PRIMARY),
                        server("192.0.2.3", 8082, 1, Role.PRIMARY),
                        server("192.0.2.4", 8082, 1, Role.PRIMARY),
                        server("192.0.2.2", 8083, 5, Role.BACKUP));
        assertThat(((InetSocketAddress) target.group().config().address(1)).getHostString())
                .isEqualTo("one.example");
    }

    @Test
    void aServiceThatMovesToAnotherHostOfTheSameAddressIsVerifiedByThat() {
        answers.set("one.example.", "192.0.2.2");
        answers.set("two.example.", "192.0.2.2");
        answers.set(SERVICE, new Service("one.example.", 80, 0, 1));
        lookUpService();
        answers.set(SERVICE, new Service("two.example.", 80, 0, 1));
        target.names().lookUp();

        assertThat(((InetSocketAddress) target.group().config().address(1)).getHostString())
                .isEqualTo("two.example");
    }

    @Test
    void weightsOfAServiceKeepTheirProportions() {
        answers.set("one.example.", "192.0.2.2");
        answers.set("two.example.", "192.0.2.3");
        answers.set(SERVICE, new Service("one.example.", 80, 0, 60_000), new Service("two.example.", 80, 0, 15_000));
        lookUpService();

        assertThat(target.group().config().servers().subList(1, 3))
                .extracting(ServerConfig::weight)
                .containsExactly(256, 64);
    }

    @Test
    void aServiceThatIsNotOfferedHasNoServers() {
        answers.set(SERVICE, new Service(".", 0, 0, 0));
        lookUpService();
        target.awaitAnswers(System.nanoTime());

        assertThat(statuses()).containsExactly(NUMBER + " UP", "srv:" + SERVICE + " DOWN");
    }

    @Test
    void aHostOfAServiceThatIsSilentKeepsItsServers() {
        answers.set("one.example.", "192.0.2.2");
        answers.set("two.example.", "192.0.2.3");
        Service one = new Service("one.example.", 80, 0, 1);
        Service two = new Service("two.example.", 80, 0, 1);
        answers.set(SERVICE, one, two);
        lookUpService();
        answers.silence("two.example.");
        target.names().lookUp();
        assertThat(servers()).containsExactly(NUMBER, "192.0.2.2:80", "192.0.2.3:80");

        answers.set(SERVICE, one);
        target.names().lookUp();
        assertThat(servers()).containsExactly(NUMBER, "192.0.2.2:80");
    }

    private void lookUpService() {
        target = target(server -> null, answers, ServerConfig.of(new ServiceName(SERVICE)));
        target.names().start(target);
        target.names().lookUp();
    }

    private void lookUp(String... found) {
        answers.set(NAME, found);
        target.names().listen(target);
        target.names().lookUp();
    }

    private List<String> servers() {
        return target.group().config().servers().stream()
                .map(ServerConfig::text)
                .toList();
    }

    private List<String> statuses() {
        return target.health().statuses(System.nanoTime()).stream()
                .map(status -> status.server() + " " + status.health())
                .toList();
    }

    private double share(int server) {
        return target.health().standing().share(server, System.nanoTime());
    }

    private BackendTarget target(Known known, Resolver resolver, ServerConfig... others) {
        BackendConfig base = new BackendConfig(
                "web",
                List.of(new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 80)),
                Balance.ROUND_ROBIN,
                ProxyProtocol.NONE,
                Duration.ofSeconds(1));
        BackendConfig config = Copies.of(base)
                .configs(Stream.concat(base.servers().stream(), Stream.of(others))
                        .toList())
                .build();
        BackendNames names = new BackendNames(config, known, resolver, lookups, counts, lines);
        return new BackendTarget(config, names, null, lines, null);
    }

    private static ServerConfig host(int weight, Role role) {
        return new ServerConfig(InetSocketAddress.createUnresolved(NAME, 8080), weight, role);
    }

    private static ServerConfig server(String address, int port, int weight, Role role) {
        return new ServerConfig(new InetSocketAddress(InetAddress.ofLiteral(address), port), weight, role);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }
}
