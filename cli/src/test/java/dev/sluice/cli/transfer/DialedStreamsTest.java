package dev.sluice.cli.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.testkit.Waiting;
import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.ChannelSettings;
import dev.sluice.transfer.identity.AllowedKeys;
import dev.sluice.transfer.identity.OwnKey;
import dev.sluice.transfer.identity.OwnKeyType;
import dev.sluice.transfer.meet.MeetException;
import dev.sluice.transfer.meet.MeetPlaces;
import dev.sluice.transfer.meet.RendezvousId;
import dev.sluice.transfer.protocol.Wire;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of attempts to connect, as after a signal. Their own limits are far above that of the tests. */
@Timeout(60)
class DialedStreamsTest {
    /** Below the 20 s of a search. */
    private static final int BELOW_THE_LIMITS_SECONDS = 15;

    private static final ChannelSettings PATIENT = ChannelSettings.DEFAULT.withHandshakeLimit(Waiting.LIMIT);

    @Test
    void endsAHandshakeThatThePeerDoesNotAnswer() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                OwnKey own = OwnKey.generate(OwnKeyType.P_256)) {
            Proof proof = Proof.byKey(Proof.Side.CONNECTS, own, AllowedKeys.of(own.fingerprint()), PATIENT);
            DialedStreams streams = new DialedStreams(GuestMeeting.at("127.0.0.1:" + silent.getLocalPort()), proof);
            CompletableFuture<Wire> opening = opening(streams);
            try (Socket accepted = silent.accept()) {
                assertThat(accepted.getInputStream().read()).isNotNegative();
                streams.end();
                assertFailed(opening, ChannelException.class);
            }
            assertThatThrownBy(() -> streams.open(1)).isInstanceOf(MeetException.class);
        }
    }

    @Test
    void endsASearch() throws Exception {
        try (OwnKey own = OwnKey.generate(OwnKeyType.P_256);
                ServerSocket relay = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Proof proof = Proof.byKey(Proof.Side.CONNECTS, own, AllowedKeys.of(own.fingerprint()), PATIENT);
            MeetPlaces places = new MeetPlaces(
                    List.of(), null, (InetSocketAddress) relay.getLocalSocketAddress(), MeetPlaces.NEAR_LIMIT);
            DialedStreams streams = new DialedStreams(new GuestMeeting(RendezvousId.ofSlot(1), places), proof);
            CompletableFuture<Wire> opening = opening(streams);
            try (Socket accepted = relay.accept()) {
                assertThat(accepted.getInputStream().read()).isNotNegative();
                streams.end();
                assertFailed(opening, MeetException.class);
            }
        }
    }

    private static CompletableFuture<Wire> opening(DialedStreams streams) {
        CompletableFuture<Wire> result = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                result.complete(streams.open(1));
            } catch (Exception e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    private static void assertFailed(CompletableFuture<Wire> opening, Class<? extends Exception> by) {
        assertThatThrownBy(() -> opening.get(BELOW_THE_LIMITS_SECONDS, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(by);
    }
}
