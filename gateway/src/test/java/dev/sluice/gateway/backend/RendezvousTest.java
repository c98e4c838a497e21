package dev.sluice.gateway.backend;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RendezvousTest {
    private static final int KEYS = 100_000;

    /** Checks keys that are alike, such as neighbours in one network. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 7, 20})
    void keysSpreadEvenly(int count) {
        int[] keys = new int[count];
        Rendezvous rendezvous = new Rendezvous(servers(count));
        for (int key = 0; key < KEYS; key++) {
            keys[owner(rendezvous, count, key)]++;
        }
        double even = (double) KEYS / count;
        for (int mine : keys) {
            // Six standard deviations of a fair choice.
            assertThat(Math.abs(mine - even)).isLessThan(6 * Math.sqrt(even));
        }
    }

    @Test
    void whenAServerLeavesOnlyItsKeysMoveAndEvenly() {
        List<SocketAddress> ten = servers(10);
        List<SocketAddress> nine = new ArrayList<>(ten);
        nine.remove(4);
        Rendezvous before = new Rendezvous(ten);
        Rendezvous after = new Rendezvous(nine);
        int[] gained = new int[9];
        int moved = 0;
        for (int key = 0; key < KEYS; key++) {
            SocketAddress owner = ten.get(owner(before, 10, key));
            int next = owner(after, 9, key);
            if (owner.equals(ten.get(4))) {
                moved++;
                gained[next]++;
            } else {
                assertThat(nine.get(next)).isEqualTo(owner);
            }
        }
        assertThat(moved).isBetween(KEYS / 10 - 700, KEYS / 10 + 700);
        for (int more : gained) {
            assertThat((double) more).isBetween(moved / 9.0 * 0.8, moved / 9.0 * 1.2);
        }
    }

    @Test
    void theOrderOfTheListDoesNotMatter() {
        List<SocketAddress> servers = servers(8);
        List<SocketAddress> reversed = new ArrayList<>(servers);
        Collections.reverse(reversed);
        Rendezvous one = new Rendezvous(servers);
        Rendezvous other = new Rendezvous(reversed);
        for (int key = 0; key < 1_000; key++) {
            assertThat(reversed.get(owner(other, 8, key))).isEqualTo(servers.get(owner(one, 8, key)));
        }
    }

    @Test
    void aShareOfTheKeysIsThatShare() {
        Rendezvous rendezvous = new Rendezvous(servers(3));
        long taken = IntStream.range(0, KEYS)
                .filter(key -> rendezvous.position(1, key) < 0.25)
                .count();
        assertThat((double) taken / KEYS).isBetween(0.24, 0.26);
    }

    private static int owner(Rendezvous rendezvous, int count, long key) {
        int best = 0;
        for (int server = 1; server < count; server++) {
            best = rendezvous.score(server, key) > rendezvous.score(best, key) ? server : best;
        }
        return best;
    }

    private static List<SocketAddress> servers(int count) {
        return IntStream.range(0, count)
                .<SocketAddress>mapToObj(i -> new InetSocketAddress(InetAddress.ofLiteral("10.0.0." + (i + 1)), 8080))
                .toList();
    }
}
