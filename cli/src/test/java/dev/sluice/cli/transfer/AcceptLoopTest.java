package dev.sluice.cli.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.libc.ResourceLimit;
import dev.sluice.testkit.Waiting;
import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.SecureChannel;
import dev.sluice.transfer.identity.AllowedKeys;
import dev.sluice.transfer.identity.OwnKey;
import dev.sluice.transfer.identity.OwnKeyType;
import dev.sluice.transfer.meet.MeetException;
import dev.sluice.transfer.meet.RendezvousId;
import java.io.InterruptedIOException;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The loop that accepts connections. */
@Timeout(120)
class AcceptLoopTest {
    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final RendezvousId ID = RendezvousId.ofSlot(1);

    /** The reports of a loop. */
    private static final class Reports implements AcceptLoop.Handler {
        private final CompletableFuture<MeetException> blocked = new CompletableFuture<>();
        private final CompletableFuture<ChannelException> refused = new CompletableFuture<>();

        @Override
        public void use(SecureChannel channel, String peer) {
            channel.close();
        }

        @Override
        public void failed(String peer, ChannelException cause) {
            throw new AssertionError(cause);
        }

        @Override
        public void refused(ChannelException cause) {
            refused.complete(cause);
        }

        @Override
        public void blocked(MeetException cause) {
            blocked.complete(cause);
        }
    }

    @Test
    void acceptsAgainAfterAShortageOfDescriptors() throws Exception {
        Reports reports = new Reports();
        try (OwnKey own = OwnKey.generate(OwnKeyType.P_256);
                HostMeeting meeting = HostMeeting.at(ID, ANY);
                SocketChannel stranger = SocketChannel.open()) {
            int port = Integer.parseInt(meeting.addressForPeers().split(":", -1)[1]);
            loadClassesOfFailures(port);
            AcceptLoop loop = new AcceptLoop(
                    meeting, Proof.byKey(Proof.Side.ACCEPTS, own, AllowedKeys.of(own.fingerprint())), reports);
            Thread running = Thread.ofPlatform().start(() -> run(loop));
            long limit = limitDescriptors(1);
            try {
                stranger.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                assertThat(reports.blocked.get(Waiting.LIMIT.toSeconds(), TimeUnit.SECONDS))
                        .hasMessageContaining("EMFILE");
            } finally {
                limitDescriptors(limit);
            }
            stranger.shutdownOutput();
            assertThat(reports.refused.get(Waiting.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isNotNull();
            loop.cancel();
            running.join();
        }
    }

    private static void run(AcceptLoop loop) {
        try {
            loop.run();
        } catch (InterruptedIOException e) {
            throw new AssertionError(e);
        }
    }

    /** A class file cannot be opened when there is no descriptor. */
    private static void loadClassesOfFailures(int port) {
        InetSocketAddress used = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        assertThatThrownBy(() -> HostMeeting.at(ID, used)).hasMessageContaining("EADDRINUSE");
    }

    /** Sets the soft limit of open files of this process, and returns the one before. */
    private static long limitDescriptors(long soft) {
        try (LibC libc = new LibC();
                Arena arena = Arena.ofConfined()) {
            long address = arena.allocate(ResourceLimit.BYTES, Long.BYTES).address();
            assertThat(libc.getrlimit(Constants.RLIMIT_NOFILE, address)).isZero();
            long before = ResourceLimit.soft(address);
            ResourceLimit.set(address, soft, ResourceLimit.hard(address));
            assertThat(libc.setrlimit(Constants.RLIMIT_NOFILE, address)).isZero();
            return before;
        }
    }
}
