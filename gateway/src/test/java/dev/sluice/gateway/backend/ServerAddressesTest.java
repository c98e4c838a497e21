package dev.sluice.gateway.backend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.Balance;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.testkit.Waiting;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ServerAddressesTest {
    private static final Duration LIMIT = Waiting.LIMIT;
    private static final SocketAddress NUMBER = new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 80);
    private static final SocketAddress NAMED = InetSocketAddress.createUnresolved("web.example", 8080);

    private final HealthLines lines = new HealthLines();
    private final TestNames names = new TestNames();
    private final NameLookups lookups = new NameLookups(names);
    private BackendHealth health = new BackendHealth(config(), null, lines);
    private ServerAddresses addresses = addresses(server -> null);

    @AfterEach
    void close() {
        addresses.close();
        lookups.close();
    }

    @Test
    void aServerFollowsItsName() {
        lookUp("192.0.2.2");
        lookUp("192.0.2.7", "192.0.2.8");

        assertThat(addresses.get(1)).isEqualTo(address("192.0.2.7"));
        assertThat(lines.lines()).containsExactly("INFO backend web: web.example is now 192.0.2.7, and was 192.0.2.2");
        lookUp("192.0.2.8", "192.0.2.9");
        assertThat(addresses.get(1)).isEqualTo(address("192.0.2.8"));
    }

    @Test
    void aServerStaysWhereItIsAsLongAsItsNameStandsForThat() {
        lookUp("192.0.2.2");
        lookUp("192.0.2.9", "192.0.2.2");
        lookUp("192.0.2.2", "192.0.2.9");

        assertThat(addresses.get(1)).isEqualTo(address("192.0.2.2"));
        assertThat(lines.lines()).isEmpty();
    }

    @Test
    void aNameThatDoesNotResolveAnyMoreChangesNothingAndIsToldOnce() {
        lookUp("192.0.2.2");
        for (int i = 0; i < 3; i++) {
            lookUp();
        }
        assertThat(addresses.get(1)).isEqualTo(address("192.0.2.2"));
        assertThat(status()).isEqualTo(ServerStatus.Health.UP);
        assertThat(lines.lines())
                .containsExactly("WARN backend web: web.example does not resolve; its address 192.0.2.2 stays in use");
    }

    @Test
    void aServerWhoseNameNeverResolvedIsDownAndToldOnce() {
        for (int i = 0; i < 3; i++) {
            lookUp();
        }
        assertThat(addresses.get(0)).isEqualTo(NUMBER);
        assertThat(addresses.get(1)).isNull();
        assertThat(status()).isEqualTo(ServerStatus.Health.DOWN);
        assertThat(lines.lines())
                .containsExactly("WARN backend web: server web.example:8080 is down: web.example does not resolve;"
                        + " it is used as soon as its name resolves");
    }

    @Test
    void aServerIsUsedAsSoonAsItsNameResolves() {
        lookUp();
        lookUp("192.0.2.2");

        assertThat(addresses.get(1)).isEqualTo(address("192.0.2.2"));
        assertThat(status()).isEqualTo(ServerStatus.Health.UP);
        assertThat(health.standing().isOpen(1)).isTrue();
        assertThat(lines.lines())
                .last()
                .asString()
                .startsWith("INFO backend web: server web.example:8080 has the address 192.0.2.2, after ");
    }

    /** Looks the name up in the background, and without a request for it. */
    @Test
    void aNameIsLookedUpAgainUntilItResolves() {
        addresses.start();
        addresses.awaitAnswers(System.nanoTime() + LIMIT.toNanos());
        assertThat(status()).isEqualTo(ServerStatus.Health.DOWN);

        names.set("web.example", "192.0.2.2");

        Waiting.until(LIMIT, () -> address("192.0.2.2").equals(addresses.get(1)), () -> "not looked up again");
    }

    @Test
    void whatWasKnownIsUsedWithoutAWaitForDns() {
        addresses = addresses(server -> server.equals(NAMED) ? address("192.0.2.3") : null);

        addresses.awaitAnswers(System.nanoTime());

        assertThat(addresses.get(1)).isEqualTo(address("192.0.2.3"));
        assertThat(status()).isEqualTo(ServerStatus.Health.UP);
        assertThat(names.lookups()).isZero();
    }

    /** DNS that says nothing holds up neither a start nor a look at another name. */
    @Test
    void aNameWithoutAnAnswerIsDownMeanwhile() {
        CountDownLatch silence = new CountDownLatch(1);
        try (NameLookups silent = new NameLookups(name -> {
            awaitUninterruptibly(silence);
            return names.addresses(name);
        })) {
            addresses = new ServerAddresses(config(), server -> null, silent, health, lines);
            names.set("web.example", "192.0.2.4");
            addresses.start();
            addresses.awaitAnswers(System.nanoTime());
            assertThat(status()).isEqualTo(ServerStatus.Health.DOWN);
            assertThat(lines.lines()).singleElement().asString().contains("no answer yet for web.example");

            silence.countDown();

            Waiting.until(LIMIT, () -> status() == ServerStatus.Health.UP, () -> "the answer was not used");
            assertThat(addresses.get(1)).isEqualTo(address("192.0.2.4"));
        }
    }

    @Test
    void aResolverThatBreaksIsNoEndOfLookups() {
        try (NameLookups broken = new NameLookups(name -> {
            throw new IllegalStateException("no resolver");
        })) {
            addresses = new ServerAddresses(config(), server -> null, broken, health, lines);
            addresses.lookUp();
            assertThat(lines.lines()).singleElement().asString().contains("cannot be looked up", "no resolver");
        }
    }

    /** Covers a setup that programs that embed the gateway may have. */
    @Test
    void aServerThatIsConfiguredWithItsAddressIsNotLookedUpUnlessThatIsWanted() throws UnknownHostException {
        SocketAddress resolved = new InetSocketAddress(
                InetAddress.getByAddress(
                        "web.example", InetAddress.ofLiteral("192.0.2.5").getAddress()),
                8080);
        addresses = new ServerAddresses(config(resolved), server -> null, lookups, health, lines);

        addresses.start();
        addresses.lookAgain();
        addresses.awaitAnswers(System.nanoTime());

        assertThat(addresses.get(1)).isEqualTo(resolved);
        assertThat(names.lookups()).isZero();
    }

    private void lookUp(String... found) {
        names.set("web.example", found);
        addresses.lookUp();
    }

    private ServerStatus.Health status() {
        return health.statuses(System.nanoTime()).get(1).health();
    }

    private ServerAddresses addresses(ServerAddresses.Known known) {
        return new ServerAddresses(config(), known, lookups, health, lines);
    }

    private static InetSocketAddress address(String literal) {
        return new InetSocketAddress(InetAddress.ofLiteral(literal), 8080);
    }

    private static BackendConfig config() {
        return config(NAMED);
    }

    private static BackendConfig config(SocketAddress second) {
        return new BackendConfig(
                "web", List.of(NUMBER, second), Balance.ROUND_ROBIN, ProxyProtocol.NONE, Duration.ofSeconds(1));
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }
}
