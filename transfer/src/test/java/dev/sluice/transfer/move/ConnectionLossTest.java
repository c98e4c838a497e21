package dev.sluice.transfer.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.testkit.Waiting;
import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.ChannelFailure;
import dev.sluice.transfer.protocol.TransferSummary;
import dev.sluice.transfer.protocol.Wire;
import dev.sluice.transfer.tree.Filters;
import dev.sluice.transfer.tree.SourceTree;
import dev.sluice.transfer.tree.TransferException;
import dev.sluice.transfer.tree.TransferFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams whose connections are reset while others go on, or are opened again. */
@Timeout(120)
final class ConnectionLossTest extends TwoDirectories {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Reconnection QUICK = new Reconnection(3, Duration.ofMillis(1), Duration.ofMillis(4));
    private static final int LARGE_BYTES = 12 << 20;
    private static final int WINDOW_BYTES = 1 << 20;
    private static final int SMALL_FILES = 400;
    private static final ReceiverOptions OPTIONS = ReceiverOptions.DEFAULT.withWindowBytes(WINDOW_BYTES);

    private final List<TransferEvent> events = new CopyOnWriteArrayList<>();

    @BeforeEach
    void makeTree() throws IOException {
        Trees.write(source.resolve("large"), Trees.random(LARGE_BYTES, 1));
        Path many = Files.createDirectory(source.resolve("many"));
        for (int i = 0; i < SMALL_FILES; i++) {
            Files.writeString(many.resolve("file-with-a-name-of-usual-length-" + i), "contents " + i);
        }
        Trees.shell(source, "truncate -s 9M sparse; printf x | dd of=sparse bs=1M seek=8 conv=notrunc status=none");
    }

    @Test
    void opensStreamsAgainAndAsksOnlyForWhatTheyOwed() throws IOException {
        Long[] resets = {300_000L, 1_000_000L, 3_000_000L, 5_000_000L, 8_000_000L, 11_000_000L};
        try (TcpSource server = new TcpSource(source);
                CountingRelay relay = CountingRelay.resettingAt(server.address(), resets)) {
            StreamFactory streams = server.streamsTo(relay.address()).with(QUICK);
            Receiver receiver = new Receiver(target, OPTIONS.withStreams(3), events::add);
            TransferSummary summary = receiver.pull(streams.open(0), Trees.ID, streams);
            assertThat(summary.failed()).isZero();
            assertThat(relay.resetsLeft()).isZero();
            // A connection that is reset before the source has joined it to the transfer is opened again uncounted.
            assertThat(receiver.progress().streamsLost()).isBetween(1L, (long) resets.length);
            long frames = 1 << 20;
            assertThat(relay.bytes()).isLessThan(LARGE_BYTES + frames + resets.length * (WINDOW_BYTES + frames));
        }
        assertComplete();
    }

    @Test
    void readsTheManifestAgainWithoutSettlingAnEntryTwice() throws IOException {
        Long[] resets = {3_000L, 12_000L, 25_000L, 60_000L, 260_000L};
        try (TcpSource server = new TcpSource(source);
                CountingRelay relay = CountingRelay.resettingAt(server.address(), resets)) {
            StreamFactory streams = server.streamsTo(relay.address()).with(QUICK);
            Receiver receiver = new Receiver(target, OPTIONS, events::add);
            assertThat(receiver.pull(streams.open(0), Trees.ID, streams).failed())
                    .isZero();
            assertThat(relay.resetsLeft()).isZero();
            assertThat(receiver.progress().snapshot().filesTotal()).isEqualTo(SMALL_FILES + 2);
        }
        assertComplete();
    }

    @Test
    void endsWhenTheTreeHasOtherEntriesAfterALoss() throws IOException {
        // The manifest has 600 KB.
        Trees.shell(source, "touch $(seq -f z%.0f 20000)");
        try (TcpSource server = new TcpSource(source);
                CountingRelay relay = CountingRelay.resettingAt(server.address(), 400_000L)) {
            AtomicInteger opened = new AtomicInteger();
            StreamFactory streams = number -> {
                if (opened.getAndIncrement() == 1) {
                    Trees.shell(source, "find . -mindepth 1 -delete");
                }
                return server.streamsTo(relay.address()).open(number);
            };
            Receiver receiver = new Receiver(target, OPTIONS, events::add);
            Wire first = streams.open(0);
            TransferException failure = catchThrowableOfType(
                    TransferException.class, () -> receiver.pull(first, Trees.ID, streams.with(QUICK)));
            assertThat(failure.failure()).isEqualTo(TransferFailure.TREE_CHANGED);
            assertThat(failure).hasMessageContaining("repeat the command to resume");
        }
    }

    @Test
    void givesUpAfterTheAttemptsInARow() throws IOException {
        try (TcpSource server = new TcpSource(source);
                CountingRelay relay = CountingRelay.resettingAt(server.address(), 1_000_000L)) {
            List<Integer> opened = new ArrayList<>();
            StreamFactory refusing = number -> {
                opened.add(number);
                throw new ChannelException(ChannelFailure.CONNECTION, "no route");
            };
            Receiver receiver = new Receiver(target, OPTIONS, events::add);
            Wire first = server.streamsTo(relay.address()).open(0);
            TransferException failure = catchThrowableOfType(
                    TransferException.class, () -> receiver.pull(first, Trees.ID, refusing.with(QUICK)));
            assertThat(failure.failure()).isEqualTo(TransferFailure.PEER_VANISHED);
            assertThat(failure).hasMessageContaining("repeat the command to resume");
            assertThat(opened).containsOnly(0).hasSize(QUICK.attempts());
        }
    }

    @Test
    void finishesWithoutAStreamThatCannotBeOpened() throws IOException {
        try (TcpSource server = new TcpSource(source)) {
            StreamFactory one = number -> {
                if (number > 0) {
                    throw new ChannelException(ChannelFailure.CONNECTION, "no route");
                }
                return server.streamsTo(server.address()).open(number);
            };
            Receiver receiver = new Receiver(target, OPTIONS.withStreams(3), events::add);
            assertThat(receiver.pull(one.open(0), Trees.ID, one.with(QUICK)).failed())
                    .isZero();
        }
        assertComplete();
    }

    @Test
    void endsWhenThePeerRefusesAStreamThatReturns() throws IOException {
        try (TcpSource server = new TcpSource(source);
                CountingRelay relay = CountingRelay.resettingAt(server.address(), 1_000_000L)) {
            StreamFactory refused = number -> {
                throw new ChannelException(ChannelFailure.WRONG_KEY, "not allowed any more");
            };
            Receiver receiver = new Receiver(target, OPTIONS, events::add);
            Wire first = server.streamsTo(relay.address()).open(0);
            TransferException failure =
                    catchThrowableOfType(TransferException.class, () -> receiver.pull(first, Trees.ID, refused));
            assertThat(failure.failure()).isEqualTo(TransferFailure.REFUSED);
        }
    }

    @Test
    void opensTheStreamsOfAPushAgain() throws IOException {
        try (TcpTarget server = new TcpTarget(target, OPTIONS.withStreams(3), events::add);
                CountingRelay relay = CountingRelay.countingToServer(
                        server.address(), 300_000L, 2_000_000L, 5_000_000L, 8_000_000L, 11_000_000L);
                SourceTree tree = SourceTree.contentsOf(source, Filters.NONE)) {
            StreamFactory streams = server.streamsTo(relay.address()).with(QUICK);
            Sender sender = new Sender(tree, BandwidthLimit.NONE);
            TransferSummary sent = sender.send(streams.open(0), Trees.ID, streams);
            assertThat(sent.failed()).isZero();
            assertThat(relay.resetsLeft()).isZero();
            assertThat(sender.progress().snapshot().filesTotal()).isEqualTo(SMALL_FILES + 2);
        }
        assertComplete();
    }

    @Test
    void aPeerThatStartsAgainReplacesItsLostTransfer() throws IOException {
        try (TcpTarget server = new TcpTarget(target, OPTIONS, events::add);
                CountingRelay relay = CountingRelay.countingToServer(server.address(), 5_000_000L);
                SourceTree tree = SourceTree.contentsOf(source, Filters.NONE)) {
            StreamFactory streams = server.streamsTo(relay.address()).with(Reconnection.NONE);
            Wire first = streams.open(0);
            TransferException lost = catchThrowableOfType(
                    TransferException.class,
                    () -> new Sender(tree, BandwidthLimit.NONE).send(first, Trees.ID, streams));
            assertThat(lost.failure()).isEqualTo(TransferFailure.PEER_VANISHED);
            byte[] other = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
            // The server may learn of the loss after the peer's next connection.
            Waiting.until(LIMIT, () -> server.losses() == 1, () -> "losses=" + server.losses());
            Sender again = new Sender(tree, BandwidthLimit.NONE);
            assertThat(again.send(streams.open(0), other, streams).failed()).isZero();
            assertThat(again.progress().snapshot().bytesTransferred()).isLessThan(LARGE_BYTES - 2_000_000);
        }
        assertThat(Trees.listing(target)).isEqualTo(Trees.listing(source));
    }

    /** The failure reaches the source although its streams are in the middle of sending. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aPushEndsWithTheReasonOfItsTarget(int count) throws IOException {
        TransferListener failing = event -> {
            throw new IllegalStateException("the listener fails");
        };
        try (TcpTarget server = new TcpTarget(target, OPTIONS.withStreams(count), failing);
                SourceTree tree = SourceTree.contentsOf(source, Filters.NONE)) {
            AtomicInteger opened = new AtomicInteger();
            StreamFactory streams = number -> {
                opened.getAndIncrement();
                return server.streamsTo(server.address()).open(number);
            };
            Wire first = streams.open(0);
            TransferException failure = catchThrowableOfType(
                    TransferException.class,
                    () -> new Sender(tree, BandwidthLimit.NONE).send(first, Trees.ID, streams.with(QUICK)));
            assertThat(failure.failure()).isEqualTo(TransferFailure.INTERNAL);
            assertThat(failure).hasMessageContaining("the listener fails");
            if (count == 1) {
                assertThat(opened).hasValue(1);
            }
        }
    }

    @Test
    void waitsTwiceAsLongBeforeEachAttempt() {
        Reconnection limits = new Reconnection(9, Duration.ofMillis(100), Duration.ofSeconds(1));
        assertThat(limits.delay(1)).hasMillis(100);
        assertThat(limits.delay(2)).hasMillis(200);
        assertThat(limits.delay(4)).hasMillis(800);
        assertThat(limits.delay(5)).hasSeconds(1);
        assertThat(limits.delay(100)).hasSeconds(1);
    }

    private void assertComplete() {
        assertThat(Trees.listing(target)).isEqualTo(Trees.listing(source));
        assertThat(events).hasSize(SMALL_FILES + 2).allMatch(TransferEvent.Completed.class::isInstance);
    }
}
