package dev.sluice.transfer.meet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.memory.Ledger;
import dev.sluice.testkit.FreePort;
import dev.sluice.testkit.NativeBalance;
import dev.sluice.testkit.Waiting;
import dev.sluice.transfer.identity.KeyFingerprint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class MeetTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Duration SOON = Duration.ofMillis(300);
    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final RendezvousId ID = RendezvousId.ofSlot(4711);

    @RegisterExtension
    final NativeBalance<Map<String, Ledger.Balance>> balance =
            NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stopThreads() {
        threads.shutdownNow();
    }

    @Test
    void meetsAtAGivenAddress() throws Exception {
        try (Host host = Host.open(ID, ANY, null, null)) {
            Future<Met> guest = async(() -> Guest.meet(ID, at(host.address()), LIMIT));
            assertConnected(host.next(LIMIT), guest.get(), MeetPath.DIRECT, MeetPath.DIRECT);
        }
    }

    @Test
    void meetsInTheLocalNetworkIncludingLoopback() throws Exception {
        LanSettings lan = new LanSettings(freeUdpPort());
        InetSocketAddress everywhere = new InetSocketAddress(0);
        try (Host other = Host.open(RendezvousId.ofSlot(1), everywhere, lan, null);
                Host host = Host.open(ID, everywhere, lan, null)) {
            assertThat(other.isInLan() && host.isInLan()).isTrue();
            MeetPlaces places = new MeetPlaces(List.of(), lan, null, LIMIT);
            Future<Met> guest = async(() -> Guest.meet(ID, places, LIMIT));
            assertConnected(host.next(LIMIT), guest.get(), MeetPath.DIRECT, MeetPath.LAN);
        }
    }

    @Test
    void meetsAtTheRelayWhenTheAddressFails() throws Exception {
        InetSocketAddress nobody = new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.onLoopback());
        try (RelayServer relay = RelayServer.start(ANY, RelayLimits.DEFAULT)) {
            InetSocketAddress meeting = relay.address();
            try (Host host = Host.open(ID, ANY, null, meeting)) {
                MeetPlaces places = new MeetPlaces(List.of(nobody), null, meeting, LIMIT);
                Future<Met> guest = async(() -> Guest.meet(ID, places, LIMIT));
                assertConnected(host.next(LIMIT), guest.get(), MeetPath.RELAY, MeetPath.RELAY);
            }
        }
    }

    @Test
    void meetsAtTheRelayWhenNobodyAnswersInTime() throws Exception {
        LanSettings lan = new LanSettings(freeUdpPort());
        try (RelayServer relay = RelayServer.start(ANY, RelayLimits.DEFAULT)) {
            InetSocketAddress meeting = relay.address();
            try (Host host = Host.open(ID, ANY, null, meeting)) {
                MeetPlaces places = new MeetPlaces(List.of(), lan, meeting, SOON);
                Future<Met> guest = async(() -> Guest.meet(ID, places, LIMIT));
                assertConnected(host.next(LIMIT), guest.get(), MeetPath.RELAY, MeetPath.RELAY);
            }
        }
    }

    @Test
    void returnsStrangersOneByOneAndThenTheGuest() throws Exception {
        try (Host host = Host.open(ID, ANY, null, null);
                Socket stranger =
                        new Socket(host.address().getAddress(), host.address().getPort())) {
            Met first = Objects.requireNonNull(host.next(LIMIT));
            assertThat(first.address().getPort()).isEqualTo(stranger.getLocalPort());
            Future<Met> guest = async(() -> Guest.meet(ID, at(host.address()), LIMIT));
            assertConnected(host.next(LIMIT), guest.get(), MeetPath.DIRECT, MeetPath.DIRECT);
            try (LibC libc = new LibC()) {
                libc.close(first.descriptor());
            }
        }
    }

    @Test
    void waitsAtTheRelayAgainAfterAStranger() throws Exception {
        try (RelayServer relay = RelayServer.start(ANY, RelayLimits.DEFAULT)) {
            InetSocketAddress meeting = relay.address();
            try (Host host = Host.open(ID, ANY, null, meeting)) {
                for (int i = 0; i < 2; i++) {
                    MeetPlaces places = new MeetPlaces(List.of(), null, meeting, Duration.ZERO);
                    Future<Met> guest = async(() -> Guest.meet(ID, places, LIMIT));
                    assertConnected(host.next(LIMIT), guest.get(), MeetPath.RELAY, MeetPath.RELAY);
                }
            }
        }
    }

    /** Nothing is sent while a host waits, so that only the kernel can notice a relay that vanished. */
    @Test
    void watchesTheConnectionToTheRelay() throws Exception {
        try (ServerSocket relay = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            InetSocketAddress meeting = (InetSocketAddress) relay.getLocalSocketAddress();
            try (Host host = Host.open(ID, ANY, null, meeting)) {
                assertThat(host.next(SOON)).isNull();
                try (Socket accepted = relay.accept()) {
                    Waiting.until(Waiting.LIMIT, () -> hasKeepAlive(accepted.getPort()), () -> "no timer of keepalive");
                }
            }
        }
    }

    /** Returns true when the timer of keepalive runs, number 2 in /proc/net/tcp, for a socket on 127.0.0.1. */
    private static boolean hasKeepAlive(int port) {
        String local = String.format(Locale.ROOT, "0100007F:%04X", port);
        try (Stream<String> lines = Files.lines(Path.of("/proc/net/tcp"))) {
            return lines.map(line -> line.strip().split("\\s+"))
                    .anyMatch(columns -> columns[1].equals(local) && columns[5].startsWith("02:"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void namesTheCauseOfEachPlace() throws Exception {
        InetSocketAddress nobody = new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.onLoopback());
        MeetPlaces refusing = new MeetPlaces(List.of(nobody), null, nobody, LIMIT);
        assertThatThrownBy(() -> Guest.meet(ID, refusing, LIMIT))
                .isInstanceOfSatisfying(
                        MeetException.class, e -> assertThat(e.failure()).isEqualTo(MeetFailure.NO_PEER))
                .hasMessageContaining("127.0.0.1:" + nobody.getPort() + ": ECONNREFUSED")
                .hasMessageContaining("relay 127.0.0.1:" + nobody.getPort());
        MeetPlaces silent = new MeetPlaces(List.of(), new LanSettings(freeUdpPort()), null, LIMIT);
        assertThatThrownBy(() -> Guest.meet(ID, silent, SOON)).hasMessageContaining("LAN: no answer");
        try (Host host = Host.open(ID, ANY, null, nobody)) {
            assertThat(host.next(SOON)).isNull();
            assertThat(host.relayProblem()).startsWith("relay 127.0.0.1").contains("ECONNREFUSED");
        }
    }

    @Test
    void forgetsTheProblemOfARelayThatHasComeBack() throws Exception {
        int port = FreePort.onLoopback();
        InetSocketAddress meeting = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try (Host host = Host.open(ID, ANY, null, meeting)) {
            assertThat(host.next(SOON)).isNull();
            assertThat(host.relayProblem()).contains("ECONNREFUSED");
            try (RelayServer relay = RelayServer.start(meeting, RelayLimits.DEFAULT)) {
                Waiting.until(LIMIT, () -> waits(host), relay.totals()::line);
            }
        }
    }

    private static boolean waits(Host host) {
        try {
            return host.next(SOON) == null && host.relayProblem().isEmpty();
        } catch (MeetException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void meetsAHostByItsKey() throws Exception {
        RendezvousId key = RendezvousId.ofKey(KeyFingerprint.of(new byte[KeyFingerprint.BYTES]));
        RendezvousId otherKey = RendezvousId.ofKey(KeyFingerprint.of(ID.bytes()));
        try (RelayServer relay = RelayServer.start(ANY, RelayLimits.DEFAULT)) {
            InetSocketAddress meeting = relay.address();
            try (Host host = Host.open(key, ANY, null, meeting)) {
                MeetPlaces places = new MeetPlaces(List.of(), null, meeting, Duration.ZERO);
                Future<Met> guest = async(() -> Guest.meet(key, places, LIMIT));
                assertConnected(host.next(LIMIT), guest.get(), MeetPath.RELAY, MeetPath.RELAY);
                assertThatThrownBy(() -> Guest.meet(otherKey, places, SOON)).hasMessageContaining("did not come");
            }
        }
    }

    @Test
    void reportsTheRelaysRefusal() throws Exception {
        try (RelayServer relay = RelayServer.start(ANY, RelayLimits.DEFAULT)) {
            InetSocketAddress meeting = relay.address();
            try (RelayPeer first = RelayPeer.asking(meeting, PeerRole.GUEST, ID)) {
                assertThat(first.answer()).isEqualTo(RelayAnswer.WAITING);
                MeetPlaces places = new MeetPlaces(List.of(), null, meeting, Duration.ZERO);
                assertThatThrownBy(() -> Guest.meet(ID, places, LIMIT))
                        .isInstanceOfSatisfying(
                                MeetException.class,
                                e -> assertThat(e.failure()).isEqualTo(MeetFailure.REFUSED))
                        .hasMessageContaining("another peer waits under this code");
            }
        }
    }

    @Test
    void reportsAnAddressThatIsInUse() throws Exception {
        try (Host host = Host.open(ID, ANY, null, null)) {
            assertThatThrownBy(() -> Host.open(ID, host.address(), null, null))
                    .isInstanceOfSatisfying(
                            MeetException.class, e -> assertThat(e.failure()).isEqualTo(MeetFailure.ADDRESS))
                    .hasMessageContaining("EADDRINUSE");
        }
    }

    /** The answers that fit no query: to another id, with another nonce or port, shorter, longer, another kind. */
    @Test
    void ignoresFalseAnswersFromTheLocalNetwork() {
        LanDatagram query = LanDatagram.query(ID);
        LanDatagram answer = query.answer(ID, 99);
        assertThat(answer.answers(query, ID)).isTrue();
        assertThat(query.answers(query, ID)).isFalse();
        assertThat(query.answer(RendezvousId.ofSlot(5), 99).answers(query, ID)).isFalse();
        assertThat(LanDatagram.query(ID).answer(ID, 99).answers(query, ID)).isFalse();
        assertThat(query.answer(ID, 0).answers(query, ID)).isFalse();
        byte[] bytes = answer.encode();
        for (int i = 0; i < bytes.length; i++) {
            byte[] changed = bytes.clone();
            changed[i] ^= 1;
            LanDatagram read = LanDatagram.decode(ByteBuffer.wrap(changed));
            assertThat(read == null || !read.answers(query, ID)).as("byte " + i).isTrue();
        }
        assertThat(LanDatagram.decode(ByteBuffer.wrap(bytes, 0, bytes.length - 1)))
                .isNull();
        assertThat(LanDatagram.decode(ByteBuffer.allocate(bytes.length + 1))).isNull();
    }

    @Test
    void answersOnlyQueriesForItsOwnId() throws Exception {
        int port = freeUdpPort();
        try (Host host = Host.open(ID, ANY, new LanSettings(port), null);
                DatagramSocket socket = new DatagramSocket()) {
            socket.setSoTimeout((int) LIMIT.toMillis());
            LanDatagram query = LanDatagram.query(ID);
            byte[] otherQuery = LanDatagram.query(RendezvousId.ofSlot(1)).encode();
            byte[] garbage = new byte[LanDatagram.BYTES];
            for (byte[] each : List.of(garbage, otherQuery, new byte[0], new byte[2000], query.encode())) {
                socket.send(new DatagramPacket(each, each.length, InetAddress.getLoopbackAddress(), port));
            }
            DatagramPacket packet = new DatagramPacket(new byte[2000], 2000);
            socket.receive(packet);
            LanDatagram answer = LanDatagram.decode(ByteBuffer.wrap(packet.getData(), 0, packet.getLength()));
            assertThat(answer)
                    .isNotNull()
                    .matches(read -> read.answers(query, ID))
                    .matches(read -> read.port() == host.address().getPort());
        }
    }

    private static MeetPlaces at(InetSocketAddress address) {
        return new MeetPlaces(List.of(address), null, null, LIMIT);
    }

    private <T> Future<T> async(Callable<T> action) {
        return threads.submit(action);
    }

    private static int freeUdpPort() throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            return socket.getLocalPort();
        }
    }

    /** Sends a byte each way, and closes both. */
    private static void assertConnected(@Nullable Met host, Met guest, MeetPath atHost, MeetPath atGuest) {
        if (host == null) {
            throw new AssertionError("nobody came");
        }
        assertThat(host.path()).isEqualTo(atHost);
        assertThat(guest.path()).isEqualTo(atGuest);
        try (LibC libc = new LibC();
                Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(1);
            for (Met[] way : new Met[][] {{host, guest}, {guest, host}}) {
                memory.set(ValueLayout.JAVA_BYTE, 0, (byte) 42);
                assertThat(libc.send(way[0].descriptor(), memory.address(), 1, 0))
                        .isEqualTo(1);
                memory.fill((byte) 0);
                long count = -Errno.EAGAIN;
                while (count == -Errno.EAGAIN) {
                    count = libc.recv(way[1].descriptor(), memory.address(), 1, Constants.MSG_WAITALL);
                }
                assertThat(count).isEqualTo(1);
                assertThat(memory.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 42);
            }
            libc.close(host.descriptor());
            libc.close(guest.descriptor());
        }
    }
}
