package dev.sluice.transfer.meet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.memory.Ledger;
import dev.sluice.testkit.NativeBalance;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RelayServerTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final RendezvousId ID = RendezvousId.ofSlot(7);
    private static final RelayLimits.Share WIDE = new RelayLimits.Share(1000, 1000, 8L << 30, 1L << 40);
    private static final RelayLimits LIMITS =
            RelayLimits.DEFAULT.withPerAddress(WIDE).withInAll(WIDE).withRequestsPerMinute(100_000);

    @RegisterExtension
    final NativeBalance<Map<String, Ledger.Balance>> balance =
            NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    private static RelayServer start(RelayLimits limits) throws MeetException {
        return RelayServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), limits);
    }

    /** A joined pair. */
    private record Pair(RelayPeer host, RelayPeer guest) implements AutoCloseable {
        static Pair join(InetSocketAddress relay, RendezvousId id) throws IOException {
            RelayPeer host = RelayPeer.asking(relay, PeerRole.HOST, id);
            assertThat(host.answer()).isEqualTo(RelayAnswer.WAITING);
            RelayPeer guest = RelayPeer.asking(relay, PeerRole.GUEST, id);
            assertThat(guest.answer()).isEqualTo(RelayAnswer.JOINED);
            assertThat(host.answer()).isEqualTo(RelayAnswer.JOINED);
            return new Pair(host, guest);
        }

        void leave() throws IOException {
            host.leave();
            guest.leave();
        }

        @Override
        public void close() throws IOException {
            leave();
        }
    }

    @Test
    void joinsTwoPeersAndPassesTheirBytesOnUnchanged() throws Exception {
        byte[] there = bytes(1, 5_000_000);
        byte[] back = bytes(2, 3_000_000);
        try (RelayServer relay = start(LIMITS);
                Pair pair = Pair.join(relay.address(), ID)) {
            CompletableFuture<byte[]> atHost = async(() -> pair.host().receive(there.length));
            CompletableFuture<byte[]> atGuest = async(() -> pair.guest().receive(back.length));
            CompletableFuture<byte[]> sent = async(() -> {
                pair.host().send(back);
                return back;
            });
            pair.guest().send(there);
            assertThat(atHost.get()).isEqualTo(there);
            assertThat(atGuest.get()).isEqualTo(back);
            sent.get();
            assertThat(relay.totals().joined()).isEqualTo(1);
            assertThat(relay.totals().bytes()).isEqualTo(there.length + back.length);
        }
    }

    @Test
    void passesTheEndOfOneDirectionOnAndKeepsTheOther() throws Exception {
        try (RelayServer relay = start(LIMITS);
                Pair pair = Pair.join(relay.address(), ID)) {
            pair.guest().send(new byte[] {1, 2, 3});
            pair.guest().socket.shutdownOutput();
            assertThat(pair.host().receive(4)).containsExactly(1, 2, 3);
            pair.host().send(new byte[] {4});
            pair.host().socket.shutdownOutput();
            assertThat(pair.guest().receive(2)).containsExactly(4);
        }
    }

    @Test
    void resetsTheOtherPeerWhenOneIsReset() throws Exception {
        try (RelayServer relay = start(LIMITS);
                Pair pair = Pair.join(relay.address(), ID)) {
            pair.host().socket.setSoLinger(true, 0);
            pair.host().close();
            assertThat(pair.guest().endsCleanly()).isFalse();
        }
    }

    @Test
    void forgetsAnIdAfterOneJoin() throws Exception {
        try (RelayServer relay = start(LIMITS);
                Pair pair = Pair.join(relay.address(), ID);
                RelayPeer third = RelayPeer.asking(relay.address(), PeerRole.GUEST, ID)) {
            assertThat(third.answer()).isEqualTo(RelayAnswer.WAITING);
            pair.guest().send(new byte[] {9});
            assertThat(pair.host().receive(1)).containsExactly(9);
        }
    }

    @Test
    void refusesASecondPeerOfTheSameRole() throws Exception {
        try (RelayServer relay = start(LIMITS);
                RelayPeer first = RelayPeer.asking(relay.address(), PeerRole.HOST, ID)) {
            assertThat(first.answer()).isEqualTo(RelayAnswer.WAITING);
            assertRefused(RelayPeer.asking(relay.address(), PeerRole.HOST, ID), RelayAnswer.ID_IN_USE);
            try (RelayPeer guest = RelayPeer.asking(relay.address(), PeerRole.GUEST, ID)) {
                assertThat(guest.answer()).isEqualTo(RelayAnswer.JOINED);
            }
        }
    }

    @Test
    void freesAnIdWhenItsPeerLeaves() throws Exception {
        try (RelayServer relay = start(LIMITS)) {
            try (RelayPeer first = RelayPeer.asking(relay.address(), PeerRole.HOST, ID)) {
                assertThat(first.answer()).isEqualTo(RelayAnswer.WAITING);
            }
            Waiting.until(LIMIT, () -> hostMayWait(relay.address()), () -> "the id is still in use");
        }
    }

    private static boolean hostMayWait(InetSocketAddress relay) {
        try (RelayPeer second = RelayPeer.asking(relay, PeerRole.HOST, ID)) {
            return second.answer() == RelayAnswer.WAITING;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void refusesWhatIsNoRequest() throws Exception {
        byte[] request = new RelayRequest(PeerRole.HOST, ID).encode();
        try (RelayServer relay = start(LIMITS)) {
            for (int wrong : new int[] {0, 13, 14, 15}) {
                byte[] changed = request.clone();
                changed[wrong] ^= 0x40;
                RelayPeer peer = new RelayPeer(relay.address());
                peer.send(changed);
                assertRefused(peer, RelayAnswer.BAD_REQUEST);
            }
            RelayPeer talkative = new RelayPeer(relay.address());
            talkative.send(Arrays.copyOf(request, request.length + 1));
            assertRefused(talkative, RelayAnswer.BAD_REQUEST);
            RelayPeer impatient = RelayPeer.asking(relay.address(), PeerRole.HOST, ID);
            assertThat(impatient.answer()).isEqualTo(RelayAnswer.WAITING);
            impatient.send(new byte[] {1});
            assertRefused(impatient, RelayAnswer.BAD_REQUEST);
        }
    }

    @Test
    void acceptsARequestInPieces() throws Exception {
        byte[] request = new RelayRequest(PeerRole.HOST, ID).encode();
        try (RelayServer relay = start(LIMITS);
                RelayPeer peer = new RelayPeer(relay.address())) {
            for (byte each : request) {
                peer.send(new byte[] {each});
            }
            assertThat(peer.answer()).isEqualTo(RelayAnswer.WAITING);
        }
    }

    @Test
    void endsPeersThatAreLate() throws Exception {
        Duration soon = Duration.ofMillis(100);
        RelayLimits limits = LIMITS.withTimes(soon, soon, soon);
        try (RelayServer relay = start(limits)) {
            assertRefused(new RelayPeer(relay.address()), RelayAnswer.REQUEST_TOO_SLOW);
            RelayPeer waiting = RelayPeer.asking(relay.address(), PeerRole.HOST, ID);
            assertThat(waiting.answer()).isEqualTo(RelayAnswer.WAITING);
            assertRefused(waiting, RelayAnswer.WAITED_TOO_LONG);
            try (Pair pair = Pair.join(relay.address(), ID)) {
                assertThat(pair.host().endsCleanly()).isFalse();
                assertThat(relay.totals().expired()).isEqualTo(1);
            }
        }
    }

    @Test
    void limitsWaitingPeersPerAddressAndInAll() throws Exception {
        RelayLimits limits = LIMITS.withPerAddress(share(1, 9)).withInAll(share(2, 9));
        try (RelayServer relay = start(limits);
                RelayPeer one = new RelayPeer(relay.address(), "127.0.0.1");
                RelayPeer two = new RelayPeer(relay.address(), "127.0.0.2")) {
            Waiting.until(LIMIT, () -> relay.totals().accepted() == 2, () -> "not accepted");
            assertRefused(new RelayPeer(relay.address(), "127.0.0.3"), RelayAnswer.RELAY_FULL);
            two.leave();
            Waiting.until(
                    LIMIT,
                    () -> refusal(relay.address(), "127.0.0.1") == RelayAnswer.ADDRESS_FULL,
                    () -> "the share of the address is not limited");
            assertThat(one.socket.isConnected()).isTrue();
        }
    }

    private static RelayAnswer refusal(InetSocketAddress relay, String from) {
        try (RelayPeer peer = new RelayPeer(relay, from)) {
            return peer.answer();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void limitsPairsPerAddressAndInAll() throws Exception {
        for (Map.Entry<RelayLimits, RelayAnswer> each : Map.of(
                        LIMITS.withPerAddress(share(9, 1)), RelayAnswer.ADDRESS_FULL,
                        LIMITS.withInAll(share(9, 1)), RelayAnswer.RELAY_FULL)
                .entrySet()) {
            RendezvousId other = RendezvousId.ofSlot(1);
            try (RelayServer relay = start(each.getKey());
                    Pair pair = Pair.join(relay.address(), ID);
                    RelayPeer host = RelayPeer.asking(relay.address(), PeerRole.HOST, other)) {
                assertThat(host.answer()).isEqualTo(RelayAnswer.WAITING);
                assertRefused(RelayPeer.asking(relay.address(), PeerRole.GUEST, other), each.getValue());
                pair.leave();
                Waiting.until(LIMIT, () -> joins(relay.address(), other), () -> "an ended pair still counts");
            }
        }
    }

    private static boolean joins(InetSocketAddress relay, RendezvousId id) {
        try (RelayPeer guest = RelayPeer.asking(relay, PeerRole.GUEST, id)) {
            return guest.answer() == RelayAnswer.JOINED;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void limitsRequestsOfAnAddressAndTheNumberOfAddresses() throws Exception {
        RelayLimits limits = LIMITS.withRequestsPerMinute(2).withAddresses(1);
        try (RelayServer relay = start(limits)) {
            for (int i = 0; i < 2; i++) {
                try (RelayPeer peer = RelayPeer.asking(relay.address(), PeerRole.GUEST, RendezvousId.ofSlot(i))) {
                    assertThat(peer.answer()).isEqualTo(RelayAnswer.WAITING);
                }
            }
            assertRefused(new RelayPeer(relay.address()), RelayAnswer.TOO_MANY_REQUESTS);
            assertRefused(new RelayPeer(relay.address(), "127.0.0.9"), RelayAnswer.RELAY_FULL);
        }
    }

    @Test
    void endsPairsWhenTheBytesOfTheDayAreUsedUp() throws Exception {
        RelayLimits limits = LIMITS.withPerAddress(new RelayLimits.Share(9, 9, 8L << 30, 1000));
        try (RelayServer relay = start(limits);
                Pair pair = Pair.join(relay.address(), ID)) {
            pair.guest().send(new byte[1001]);
            assertThat(pair.guest().endsCleanly()).isFalse();
            assertRefused(new RelayPeer(relay.address()), RelayAnswer.QUOTA_USED_UP);
        }
    }

    @Test
    void slowsASenderDownToTheRateAndLosesNothing() throws Exception {
        byte[] all = bytes(3, 4_000_000);
        RelayLimits limits = LIMITS.withInAll(new RelayLimits.Share(9, 9, 2_000_000, 1L << 40));
        try (RelayServer relay = start(limits);
                Pair pair = Pair.join(relay.address(), ID)) {
            long start = System.nanoTime();
            CompletableFuture<byte[]> received = async(() -> pair.host().receive(all.length));
            pair.guest().send(all);
            assertThat(received.get()).isEqualTo(all);
            // A burst of one second, and the rest at the rate, less what is under way when the last pause begins.
            assertThat(System.nanoTime() - start).isGreaterThan(500_000_000L);
        }
    }

    @Test
    void refusesAnAddressThatIsInUse() throws Exception {
        try (RelayServer relay = start(LIMITS)) {
            InetSocketAddress taken = relay.address();
            assertThatThrownBy(() -> RelayServer.start(taken, LIMITS))
                    .isInstanceOf(MeetException.class)
                    .hasMessageContaining("EADDRINUSE");
        }
    }

    @Test
    void answersEveryConnectionOfAFlood() throws Exception {
        RelayLimits limits = LIMITS.withPerAddress(share(10, 9));
        List<RelayPeer> peers = new ArrayList<>();
        try (RelayServer relay = start(limits)) {
            for (int i = 0; i < 300; i++) {
                peers.add(RelayPeer.asking(relay.address(), PeerRole.HOST, RendezvousId.ofSlot(i)));
            }
            Map<RelayAnswer, Integer> answers = new EnumMap<>(RelayAnswer.class);
            for (RelayPeer peer : peers) {
                answers.merge(peer.answer(), 1, Integer::sum);
            }
            assertThat(answers)
                    .containsOnly(Map.entry(RelayAnswer.WAITING, 10), Map.entry(RelayAnswer.ADDRESS_FULL, 290));
        } finally {
            for (RelayPeer peer : peers) {
                peer.close();
            }
        }
    }

    @Test
    void drainsByRefusingNewPeersAndKeepingPairsToTheirEnd() throws Exception {
        try (RelayServer relay = start(LIMITS);
                Pair pair = Pair.join(relay.address(), ID);
                RelayPeer waiting = RelayPeer.asking(relay.address(), PeerRole.HOST, RendezvousId.ofSlot(1))) {
            assertThat(waiting.answer()).isEqualTo(RelayAnswer.WAITING);
            CompletableFuture<RelayTotals> drained = async(() -> relay.drain(LIMIT));
            assertThat(waiting.answer()).isEqualTo(RelayAnswer.DRAINING);
            waiting.leave();
            pair.guest().send(new byte[] {1});
            assertThat(pair.host().receive(1)).containsExactly(1);
            pair.leave();
            RelayTotals totals = drained.get();
            assertThat(totals.line()).isEqualTo("relay: accepted=3 joined=1 bytes=1 expired=0 refused_draining=1");
        }
    }

    @Test
    void drainResetsPairsAfterTheGracePeriod() throws Exception {
        try (RelayServer relay = start(LIMITS);
                Pair pair = Pair.join(relay.address(), ID)) {
            RelayTotals totals = relay.drain(Duration.ofMillis(50));
            assertThat(totals.joined()).isEqualTo(1);
            assertThat(pair.host().endsCleanly()).isFalse();
        }
    }

    @Test
    void holdsLittleForAPeerThatDoesNotRead() throws Exception {
        try (RelayServer relay = start(LIMITS);
                Pair pair = Pair.join(relay.address(), ID)) {
            byte[] all = bytes(4, 64 << 20);
            CompletableFuture<byte[]> sent = async(() -> {
                pair.guest().send(all);
                return all;
            });
            // The kernel's buffers fill, then the relay stops receiving: the sender blocks.
            long passed = -1;
            while (relay.totals().bytes() != passed) {
                passed = relay.totals().bytes();
                Thread.sleep(200);
            }
            assertThat(sent).isNotDone();
            assertThat(Ledger.process().liveBytes()).isLessThan(16L << 20);
            assertThat(pair.host().receive(all.length)).isEqualTo(all);
            sent.get();
        }
    }

    private static RelayLimits.Share share(int waiting, int pairs) {
        return new RelayLimits.Share(waiting, pairs, WIDE.bytesPerSecond(), WIDE.bytesPerDay());
    }

    private static void assertRefused(RelayPeer peer, RelayAnswer reason) throws IOException {
        try (peer) {
            assertThat(peer.answer()).isEqualTo(reason);
            assertThat(reason.isRefusal()).isTrue();
            assertThat(peer.endsCleanly()).isTrue();
        }
    }

    private static byte[] bytes(int seed, int count) {
        byte[] bytes = new byte[count];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    /** An action that fails with checked exceptions. */
    private interface Action<T> {
        T run() throws Exception;
    }

    private static <T> CompletableFuture<T> async(Action<T> action) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                result.complete(action.run());
            } catch (Exception e) {
                result.completeExceptionally(e);
            }
        });
        return result.orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }
}
