package dev.sluice.gateway.backend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.Balance;
import dev.sluice.config.model.EjectConfig;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.config.model.ServerConfig;
import dev.sluice.gateway.Copies;
import dev.sluice.gateway.admission.AddressKey;
import dev.sluice.tls.failure.EndReason;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PoolServersTest {
    private static final long CLIENT = AddressKey.of(InetAddress.ofLiteral("192.0.2.1"));
    private static final long SECOND = 1_000_000_000L;

    private final HealthLines lines = new HealthLines();
    private long now = 17 * SECOND;

    @Test
    void goesRound() {
        assertThat(choices(pool(Balance.ROUND_ROBIN, 3, 0), 7)).containsExactly(0, 1, 2, 0, 1, 2, 0);
    }

    @Test
    void beginsWithAnotherServerOnAnotherLoop() {
        assertThat(choices(pool(Balance.ROUND_ROBIN, 3, 1), 3)).containsExactly(1, 2, 0);
        assertThat(choices(pool(Balance.ROUND_ROBIN, 3, 5), 3)).containsExactly(2, 0, 1);
    }

    @Test
    void prefersTheServerWithTheFewestConnections() {
        PoolServers pool = pool(Balance.LEAST_CONNECTIONS, 3, 0);
        pool.get(0).opened();
        pool.get(0).opened();
        pool.get(1).opened();

        assertThat(choose(pool)).isEqualTo(2);
        pool.get(2).opened();
        pool.get(2).opened();
        assertThat(choose(pool)).isEqualTo(1);
        pool.get(0).closed();
        pool.get(0).closed();
        assertThat(choose(pool)).isEqualTo(0);
    }

    @Test
    void goesRoundAmongEquals() {
        assertThat(choices(pool(Balance.LEAST_CONNECTIONS, 3, 0), 4)).containsExactly(0, 1, 2, 0);
    }

    @Test
    void oneAddressHasOneServer() {
        PoolServers pool = pool(Balance.HASH, 5, 0);
        int first = pool.choose(now, CLIENT, null);

        assertThat(choices(pool, 10)).containsOnly(first);
        long six = AddressKey.of(InetAddress.ofLiteral("2001:db8:1:2::1"));
        long neighbour = AddressKey.of(InetAddress.ofLiteral("2001:db8:1:2:ffff::9"));
        assertThat(pool.choose(now, six, null)).isEqualTo(pool.choose(now, neighbour, null));
    }

    @ParameterizedTest
    @EnumSource
    void eachServerIsTriedOnceHoweverItStands(Balance balance) {
        PoolServers pool = pool(balance, 4, 0);
        eject(pool, 1);
        eject(pool, 3);
        BitSet tried = new BitSet();
        for (int i = 0; i < 4; i++) {
            int server = pool.choose(now, CLIENT, tried);
            assertThat(tried.get(server)).as("server %d again", server).isFalse();
            tried.set(server);
            assertThat(server == 0 || server == 2)
                    .as("those that are out come last")
                    .isEqualTo(i < 2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aServerThatIsOutIsPassedOver(Balance balance) {
        PoolServers pool = pool(balance, 3, 0);
        int usual = choose(pool);
        eject(pool, usual);

        assertThat(choices(pool, 30)).doesNotContain(usual);
    }

    @ParameterizedTest
    @EnumSource
    void whenAllAreOutAllAreTried(Balance balance) {
        PoolServers pool = pool(balance, 3, 0);
        IntStream.range(0, 3).forEach(server -> eject(pool, server));

        assertThat(choices(pool, 3)).allMatch(server -> server >= 0 && server < 3);
        assertThat(lines.lines()).last().asString().contains("no server is left, so that all are tried");
    }

    @Test
    void aServerThatComesBackGetsItsShareByAndBy() {
        PoolServers pool = pool(Balance.ROUND_ROBIN, 2, 0);
        eject(pool, 1);
        now += 10 * SECOND;
        assertThat(count(choices(pool, 220)))
                .extractingByKey(1, InstanceOfAssertFactories.INTEGER)
                .isBetween(19, 20);
        now += 5 * SECOND;
        assertThat(count(choices(pool, 150)))
                .extractingByKey(1, InstanceOfAssertFactories.INTEGER)
                .isBetween(49, 51);
        now += 5 * SECOND;
        assertThat(count(choices(pool, 100)))
                .extractingByKey(1, InstanceOfAssertFactories.INTEGER)
                .isBetween(49, 51);
    }

    @Test
    void aServerThatComesBackWithoutConnectionsIsNotFlooded() {
        PoolServers pool = pool(Balance.LEAST_CONNECTIONS, 2, 0);
        eject(pool, 1);
        now += 15 * SECOND;
        for (int i = 0; i < 90; i++) {
            pool.get(choose(pool)).opened();
        }
        assertThat(pool.get(1).connections()).as("half of the other's").isBetween(29, 31);
    }

    @Test
    void ofTheKeysOfAServerThatComesBackSomeFollowItAtOnce() {
        PoolServers pool = pool(Balance.HASH, 2, 0);
        List<Long> mine =
                clients().filter(client -> pool.choose(now, client, null) == 1).toList();
        eject(pool, 1);
        now += 15 * SECOND;

        long back = mine.stream()
                .filter(client -> pool.choose(now, client, null) == 1)
                .count();
        assertThat((double) back / mine.size()).isBetween(0.45, 0.55);
    }

    // --- weights ----------------------------------------------------------------------------------------------------

    @Test
    void spreadsTheTurnsOfAHeavyServer() {
        assertThat(choices(pool(Balance.ROUND_ROBIN, weighted(4, 1, 1)), 12))
                .containsExactly(0, 1, 0, 2, 0, 0, 0, 1, 0, 2, 0, 0);
    }

    @Test
    void takesTurnsByWeightAfterARetry() {
        PoolServers pool = pool(Balance.ROUND_ROBIN, weighted(3, 1));
        BitSet tried = new BitSet();
        tried.set(0);
        assertThat(pool.choose(now, CLIENT, tried)).as("a retry").isEqualTo(1);
        assertThat(count(choices(pool, 40))).isEqualTo(Map.of(0, 30, 1, 10));
    }

    @Test
    void loadsServersByWeight() {
        PoolServers pool = pool(Balance.LEAST_CONNECTIONS, weighted(3, 1));
        for (int i = 0; i < 40; i++) {
            pool.get(choose(pool)).opened();
        }
        assertThat(pool.get(0).connections()).isEqualTo(30);
    }

    @Test
    void hashesKeysByWeight() {
        PoolServers pool = pool(Balance.HASH, weighted(3, 1));
        long heavy =
                clients().filter(client -> pool.choose(now, client, null) == 0).count();
        assertThat(heavy / 4_000.0).isBetween(0.72, 0.78);
    }

    @Test
    void movesKeysOnlyToAServerWhoseWeightGrew() {
        PoolServers before = pool(Balance.HASH, weighted(1, 1, 1));
        PoolServers after = pool(Balance.HASH, weighted(1, 1, 2));
        assertThat(clients().filter(client -> {
                    int server = after.choose(now, client, null);
                    return server != 2 && server != before.choose(now, client, null);
                }))
                .isEmpty();
    }

    @Test
    void multipliesWeightAndSlowStart() {
        PoolServers pool = pool(Balance.ROUND_ROBIN, weighted(1, 3));
        eject(pool, 1);
        now += 15 * SECOND;
        assertThat(count(choices(pool, 250))).isEqualTo(Map.of(0, 100, 1, 150));
    }

    // --- backups ----------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource
    void usesABackupOnlyWithoutAPrimary(Balance balance) {
        PoolServers pool = pool(balance, List.of(server(0, 1), server(1, 1), backup(2), backup(3)));
        assertThat(choices(pool, 30)).doesNotContain(2, 3);

        eject(pool, 0);
        assertThat(choices(pool, 30)).containsOnly(1);
        eject(pool, 1);
        assertThat(choices(pool, 30)).doesNotContain(0, 1);
        eject(pool, 2);
        assertThat(choices(pool, 30)).containsOnly(3);
        now += 10 * SECOND;
        assertThat(choices(pool, 30)).doesNotContain(2, 3);
    }

    @ParameterizedTest
    @EnumSource
    void triesBackupsAfterPrimariesAndPrimariesThatAreOutAfterThem(Balance balance) {
        PoolServers pool = pool(balance, List.of(backup(0), server(1, 1), server(2, 1), backup(3)));
        eject(pool, 2);
        eject(pool, 3);
        BitSet tried = new BitSet();
        for (int expected : new int[] {1, 0, 2, 3}) {
            assertThat(pool.choose(now, CLIENT, tried)).isEqualTo(expected);
            tried.set(expected);
        }
        assertThat(pool.choose(now, CLIENT, tried)).isEqualTo(PoolServers.NONE);
    }

    private static Stream<Long> clients() {
        return IntStream.range(0, 4_000)
                .mapToObj(i -> AddressKey.of(InetAddress.ofLiteral("192.0." + i / 250 + "." + i % 250)));
    }

    private static List<ServerConfig> weighted(int... weights) {
        return IntStream.range(0, weights.length)
                .mapToObj(i -> server(i, weights[i]))
                .toList();
    }

    private static ServerConfig server(int index, int weight) {
        return new ServerConfig(address(index), weight, ServerConfig.Role.PRIMARY);
    }

    private static ServerConfig backup(int index) {
        return new ServerConfig(address(index), 1, ServerConfig.Role.BACKUP);
    }

    private static SocketAddress address(int index) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 8080 + index);
    }

    // --- operators --------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource
    void neverChoosesAServerThatIsNotEnabled(Balance balance) {
        PoolServers pool = pool(balance, List.of(server(0, 1), server(1, 1), backup(2)));
        pool.health().mode(0, ServerMode.DRAINING, now);
        assertThat(choices(pool, 10)).containsOnly(1);
        pool.health().mode(1, ServerMode.DISABLED, now);
        assertThat(choices(pool, 10)).containsOnly(2);
        eject(pool, 2);
        assertThat(choices(pool, 10)).as("the only one that is enabled").containsOnly(2);
        pool.health().mode(2, ServerMode.DRAINING, now);
        assertThat(choices(pool, 3)).containsOnly(PoolServers.NONE);
        assertThat(pool.noServer().reason()).isEqualTo(EndReason.SERVERS_DISABLED);
        assertThat(lines.lines()).last().asString().contains("no server is enabled");
    }

    @Test
    void growsToItsWeightAfterItWasEnabled() {
        PoolServers pool = pool(Balance.ROUND_ROBIN, weighted(1, 1));
        pool.health().mode(1, ServerMode.DRAINING, now);
        pool.health().mode(1, ServerMode.ENABLED, now);
        now += 5 * SECOND;
        assertThat(count(choices(pool, 150))).isEqualTo(Map.of(0, 100, 1, 50));
        now += 5 * SECOND;
        pool.health().weight(1, 3);
        assertThat(count(choices(pool, 100))).isEqualTo(Map.of(0, 25, 1, 75));
    }

    // --- names ------------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource
    void aServerWithoutAnAddressIsNeverChosen(Balance balance) {
        PoolServers pool = pool(balance, 3, 0);
        pool.health().unresolved(1, now, "no name");
        eject(pool, 0);
        eject(pool, 2);

        assertThat(choices(pool, 30)).doesNotContain(1, PoolServers.NONE);
        BitSet tried = new BitSet();
        tried.set(0);
        tried.set(2);
        assertThat(pool.choose(now, CLIENT, tried)).isEqualTo(PoolServers.NONE);
    }

    @ParameterizedTest
    @EnumSource
    void withoutAnyAddressThereIsNoServer(Balance balance) {
        PoolServers pool = pool(balance, 2, 0);
        pool.health().unresolved(0, now, "no name");
        pool.health().unresolved(1, now, "no name");

        assertThat(choices(pool, 3)).containsOnly(PoolServers.NONE);
        assertThat(lines.lines()).last().asString().contains("no server has an address", "backend_unresolved");
    }

    private void eject(PoolServers pool, int server) {
        for (int i = 0; i < EjectConfig.DEFAULT.after(); i++) {
            pool.health().connectFailed(server, now, "refused");
        }
    }

    private int choose(PoolServers pool) {
        return pool.choose(now, CLIENT, null);
    }

    private List<Integer> choices(PoolServers pool, int count) {
        return IntStream.range(0, count).mapToObj(i -> choose(pool)).toList();
    }

    private static Map<Integer, Integer> count(List<Integer> choices) {
        Map<Integer, Integer> counts = new TreeMap<>();
        choices.forEach(server -> counts.merge(server, 1, Integer::sum));
        return counts;
    }

    private PoolServers pool(Balance balance, int size, int firstTurn) {
        return pool(
                balance, IntStream.range(0, size).mapToObj(i -> server(i, 1)).toList(), firstTurn);
    }

    private PoolServers pool(Balance balance, List<ServerConfig> servers) {
        return pool(balance, servers, 0);
    }

    private PoolServers pool(Balance balance, List<ServerConfig> servers, int firstTurn) {
        BackendConfig config = Copies.of(
                        new BackendConfig("test", List.of(), balance, ProxyProtocol.NONE, Duration.ofSeconds(1)))
                .configs(servers)
                .build();
        return new BackendPool(HealthLines.target(config, lines), firstTurn).servers();
    }
}
