package dev.sluice.transfer.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.testkit.Waiting;
import dev.sluice.transfer.channel.ChannelSettings;
import dev.sluice.transfer.protocol.ProtocolLimits;
import dev.sluice.transfer.protocol.Wire;
import dev.sluice.transfer.tree.TransferException;
import dev.sluice.transfer.tree.TransferFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Peers that vanish without an end of their connection, and peers that are only slow. */
@Timeout(120)
final class SilenceTest extends TwoDirectories {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration SILENCE = Duration.ofMillis(500);
    private static final ChannelSettings SETTINGS = ChannelSettings.DEFAULT.withSilenceLimit(SILENCE);
    /** More than socket buffers hold, so that a source blocks whose target does not read. */
    private static final int LARGE_BYTES = 48 << 20;

    private static final ReceiverOptions OPTIONS = ReceiverOptions.DEFAULT.withWindowBytes(LARGE_BYTES);

    @BeforeEach
    void makeTree() throws IOException {
        Trees.write(source.resolve("a"), Trees.random(LARGE_BYTES, 1));
        Files.copy(source.resolve("a"), source.resolve("b"));
    }

    @Test
    void bothSidesGiveAPeerUpThatVanished() throws IOException {
        try (TcpSource server = new TcpSource(source, SETTINGS);
                CountingRelay relay = CountingRelay.silentAfter(server.address(), 8_000_000)) {
            StreamFactory streams = server.streamsTo(relay.address()).with(Reconnection.NONE);
            Receiver receiver = new Receiver(target, OPTIONS, TransferListener.NONE);
            Wire first = streams.open(0);
            TransferException failure =
                    catchThrowableOfType(TransferException.class, () -> receiver.pull(first, Trees.ID, streams));
            assertThat(failure.failure()).isEqualTo(TransferFailure.PEER_VANISHED);
            assertThat(failure).hasMessageContaining("silent for too long");
            Waiting.until(LIMIT, () -> server.failures().size() == 1, () -> "failures=" + server.failures());
            assertThat(server.failures().getFirst())
                    .isInstanceOfSatisfying(
                            TransferException.class,
                            e -> assertThat(e.failure()).isEqualTo(TransferFailure.PEER_VANISHED));
        }
    }

    /** The stream that waits for the disk keeps its source blocked in a send for more than the limit. */
    @Test
    void aTargetThatWaitsForItsDiskIsAlive() throws IOException {
        try (TcpSource server = new TcpSource(source, SETTINGS)) {
            StreamFactory streams = server.streamsTo(server.address()).with(Reconnection.NONE);
            Receiver receiver = new Receiver(target, OPTIONS, slowOnce(), SILENCE.dividedBy(8));
            assertThat(receiver.pull(streams.open(0), Trees.ID, streams).failed())
                    .isZero();
            assertThat(receiver.progress().streamsLost()).isZero();
        }
        assertThat(Trees.listing(target)).isEqualTo(Trees.listing(source));
    }

    @Test
    void aStreamWithoutWorkIsAlive() throws IOException {
        try (TcpSource server = new TcpSource(source, SETTINGS)) {
            StreamFactory streams = server.streamsTo(server.address()).with(Reconnection.NONE);
            BandwidthLimit slow = new BandwidthLimit(LARGE_BYTES);
            Receiver receiver =
                    new Receiver(target, OPTIONS.withStreams(3).withLimit(slow), event -> {}, SILENCE.dividedBy(8));
            assertThat(receiver.pull(streams.open(0), Trees.ID, streams).failed())
                    .isZero();
            assertThat(receiver.progress().streamsLost()).isZero();
        }
        assertThat(Trees.listing(target)).isEqualTo(Trees.listing(source));
    }

    @Test
    void aTargetWithoutPingIsGivenUp() throws IOException {
        try (TcpSource server = new TcpSource(source, SETTINGS)) {
            StreamFactory streams = server.streamsTo(server.address()).with(Reconnection.NONE);
            Receiver receiver = new Receiver(target, OPTIONS, slowOnce(), Duration.ofHours(1));
            Wire first = streams.open(0);
            TransferException failure =
                    catchThrowableOfType(TransferException.class, () -> receiver.pull(first, Trees.ID, streams));
            assertThat(failure.failure()).isEqualTo(TransferFailure.PEER_VANISHED);
        }
    }

    /** Returns a listener that keeps the thread of the stream at the end of the first file, as a slow disk does. */
    private static TransferListener slowOnce() {
        AtomicBoolean slow = new AtomicBoolean(true);
        return event -> {
            if (slow.getAndSet(false)) {
                LockSupport.parkNanos(5 * SILENCE.toNanos());
            }
        };
    }

    @Test
    void aLimitedSourceSendsInSlices() {
        assertThat(new BandwidthLimit(100_000).slice()).isEqualTo(5_000);
        assertThat(new BandwidthLimit(3).slice()).isEqualTo(1);
        assertThat(new BandwidthLimit(100_000_000).slice()).isGreaterThanOrEqualTo(ProtocolLimits.CHUNK_BYTES);
        assertThat(BandwidthLimit.NONE.slice()).isGreaterThanOrEqualTo(ProtocolLimits.CHUNK_BYTES);
    }
}
