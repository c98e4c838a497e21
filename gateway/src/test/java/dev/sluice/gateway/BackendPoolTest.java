package dev.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.config.BackendConfig;
import dev.sluice.gateway.config.Balance;
import dev.sluice.gateway.config.ProxyProtocol;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BackendPoolTest {
    @Test
    void goesRound() {
        BackendPool pool = pool(Balance.ROUND_ROBIN, 3, 0);

        assertThat(choices(pool, 7)).containsExactly(0, 1, 2, 0, 1, 2, 0);
    }

    @Test
    void beginsWithAnotherServerOnAnotherLoop() {
        assertThat(choices(pool(Balance.ROUND_ROBIN, 3, 1), 3)).containsExactly(1, 2, 0);
        assertThat(choices(pool(Balance.ROUND_ROBIN, 3, 5), 3)).containsExactly(2, 0, 1);
    }

    @Test
    void prefersTheServerWithTheFewestConnections() {
        BackendPool pool = pool(Balance.LEAST_CONNECTIONS, 3, 0);
        pool.opened(0);
        pool.opened(0);
        pool.opened(1);

        assertThat(pool.choose()).isEqualTo(2);
        pool.opened(2);
        pool.opened(2);
        assertThat(pool.choose()).isEqualTo(1);
        pool.closed(0);
        pool.closed(0);
        assertThat(pool.choose()).isEqualTo(0);
    }

    @Test
    void goesRoundAmongEquals() {
        BackendPool pool = pool(Balance.LEAST_CONNECTIONS, 3, 0);

        assertThat(choices(pool, 4)).containsExactly(0, 1, 2, 0);
    }

    @Test
    void triesTheOthersInTurn() {
        BackendPool pool = pool(Balance.ROUND_ROBIN, 2, 0);

        assertThat(pool.after(0)).isEqualTo(1);
        assertThat(pool.after(1)).isEqualTo(0);
    }

    private static List<Integer> choices(BackendPool pool, int count) {
        return IntStream.range(0, count).mapToObj(i -> pool.choose()).toList();
    }

    private static BackendPool pool(Balance balance, int size, int firstTurn) {
        List<SocketAddress> servers = IntStream.range(0, size)
                .<SocketAddress>mapToObj(i -> new InetSocketAddress(InetAddress.getLoopbackAddress(), 8080 + i))
                .toList();
        return new BackendPool(
                new BackendConfig("test", servers, balance, ProxyProtocol.NONE, Duration.ofSeconds(1)), firstTurn);
    }
}
