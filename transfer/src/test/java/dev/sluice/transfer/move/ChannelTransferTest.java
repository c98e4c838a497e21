package dev.sluice.transfer.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.ChannelFailure;
import dev.sluice.transfer.protocol.Hello;
import dev.sluice.transfer.protocol.TransferRole;
import dev.sluice.transfer.protocol.Wire;
import dev.sluice.transfer.tree.TargetTree;
import dev.sluice.transfer.tree.TransferException;
import dev.sluice.transfer.tree.TransferFailure;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Transfers over TCP and TLS on loopback. */
@Timeout(300)
final class ChannelTransferTest extends TwoDirectories {
    private static final ReceiverOptions OPTIONS = ReceiverOptions.DEFAULT;

    @Test
    void copiesATreeOverOneStream() throws IOException {
        tree();
        try (TcpSource server = new TcpSource(source)) {
            assertThat(server.pullTo(target, OPTIONS).summary().failed()).isZero();
            assertThat(server.pullTo(target, OPTIONS).sent()).isZero();
        }
        assertThat(Trees.listing(target)).isEqualTo(Trees.listing(source));
    }

    @Test
    void sharesALargeFileAmongStreams() throws IOException {
        tree();
        Trees.write(source.resolve("huge"), Trees.random(200 << 20, 9));
        try (TcpSource server = new TcpSource(source)) {
            Trees.Result result = server.pullTo(target, OPTIONS.withStreams(4).withWindowBytes(4 << 20));
            assertThat(result.summary().failed()).isZero();
            assertThat(result.sent()).isEqualTo(result.summary().bytes());
        }
        assertThat(Trees.listing(target)).isEqualTo(Trees.listing(source));
    }

    @Test
    void doesWithoutAStreamThatCannotBeOpened() throws IOException {
        tree();
        try (TcpSource server = new TcpSource(source)) {
            StreamFactory working = server.streamsTo(server.address());
            StreamFactory failing = number -> {
                if (number > 0) {
                    throw new ChannelException(ChannelFailure.CONNECTION, "the relay is full");
                }
                return working.open(number);
            };
            assertThat(server.pull(failing, target, OPTIONS.withStreams(3))
                            .summary()
                            .failed())
                    .isZero();
        }
        assertThat(Trees.listing(target)).isEqualTo(Trees.listing(source));
    }

    /** The first stream has done everything before the other one is open: it finds that the session has ended. */
    @Test
    void aStreamThatComesTooLateIsNoFailure() throws IOException {
        tree();
        TcpSource server = new TcpSource(source);
        try (server;
                TargetTree tree = TargetTree.open(target, OPTIONS.policy())) {
            ReceiverSession session = new ReceiverSession(tree, OPTIONS, event -> {}, new TransferProgress());
            Wire first = server.streamsTo(server.address()).open(0);
            Wire late = server.streamsTo(server.address()).open(1);
            Hello hello = Hello.of(TransferRole.TARGET, 0, Trees.ID);
            try (TargetStream stream = new TargetStream(session, first, hello)) {
                assertThat(stream.run(null)).isNull();
            }
            session.end();
            try (TargetStream stream = new TargetStream(session, late, Hello.of(TransferRole.TARGET, 1, Trees.ID))) {
                assertThat(stream.run(null)).isNull();
            }
            assertThat(session.failure()).isNull();
            session.abandonAll();
        }
        assertThat(server.failures()).isEmpty();
        assertThat(Trees.listing(target)).isEqualTo(Trees.listing(source));
    }

    @Test
    void opensNoMoreStreamsThanTheWayPermits() throws IOException {
        tree();
        Set<Integer> opened = ConcurrentHashMap.newKeySet();
        try (TcpSource server = new TcpSource(source)) {
            StreamFactory working = server.streamsTo(server.address());
            StreamFactory one = new StreamFactory() {
                @Override
                public Wire open(int stream) throws IOException {
                    opened.add(stream);
                    return working.open(stream);
                }

                @Override
                public int limit() {
                    return 1;
                }
            };
            server.pull(one, target, OPTIONS.withStreams(3));
        }
        assertThat(opened).containsExactly(0);
        assertThat(Trees.listing(target)).isEqualTo(Trees.listing(source));
    }

    @Test
    void resumesAfterAResetAtAnyByte() throws IOException {
        for (int i = 0; i < 20; i++) {
            Trees.write(source.resolve("small" + i), Trees.random(2000, i));
        }
        Trees.write(source.resolve("large"), Trees.random(8 << 20, 77));
        long window = 1 << 20;
        ReceiverOptions options = OPTIONS.withStreams(2).withWindowBytes(window);
        try (TcpSource server = new TcpSource(source)) {
            for (long cut = 1500; cut < 8 << 20; cut = cut * 3 / 2 + 1) {
                Trees.shell(target, "find . -mindepth 1 -delete");
                cutAt(server, cut, options);
                Trees.Result rest = server.pullTo(target, options);
                assertThat(Trees.listing(target)).as("cut=" + cut).isEqualTo(Trees.listing(source));
                long kept = Math.max(0, cut - 2 * window - (1 << 20));
                assertThat(rest.sent()).as("cut=" + cut).isLessThanOrEqualTo((8 << 20) + 40_000 - kept);
            }
        }
    }

    private void cutAt(TcpSource server, long bytes, ReceiverOptions options) throws IOException {
        try (CountingRelay relay = new CountingRelay(server.address(), bytes)) {
            StreamFactory streams = server.streamsTo(relay.address()).with(Reconnection.NONE);
            IOException failure = catchThrowableOfType(IOException.class, () -> server.pull(streams, target, options));
            assertThat(failure).as("cut=" + bytes).isNotNull();
            if (failure instanceof TransferException known) {
                assertThat(known.failure()).isEqualTo(TransferFailure.PEER_VANISHED);
                assertThat(known).hasMessageContaining("resume");
            }
        }
    }

    @Test
    void reportsAFileThatChangesWhileItIsSent() throws IOException {
        Trees.write(source.resolve("changing"), Trees.random(64 << 20, 4));
        Trees.write(source.resolve("quiet"), Trees.random(3000, 5));
        AtomicLong opened = new AtomicLong();
        try (TcpSource server = new TcpSource(source)) {
            StreamFactory streams = server.streamsTo(server.address());
            Receiver[] receiver = new Receiver[1];
            List<TransferEvent> events = new ArrayList<>();
            ReceiverOptions slow =
                    OPTIONS.withLimit(new BandwidthLimit(64 << 20)).withWindowBytes(1 << 20);
            receiver[0] = new Receiver(target, slow, events::add);
            Thread writer = Thread.ofPlatform().start(() -> appendOnceBytesFlow(receiver[0], opened));
            receiver[0].pull(streams.open(0), Trees.ID, streams);
            Sender.joinAll(List.of(writer));
            assertThat(opened).hasValue(1);
            assertThat(events)
                    .filteredOn(TransferEvent.Failed.class::isInstance)
                    .extracting(event -> ((TransferEvent.Failed) event).failure())
                    .containsExactly(TransferFailure.SOURCE_CHANGED);
            assertThat(target.resolve("changing")).doesNotExist();
            assertThat(target.resolve("quiet")).hasBinaryContent(Trees.random(3000, 5));
            server.pullTo(target, OPTIONS);
        }
        assertThat(Trees.listing(target)).isEqualTo(Trees.listing(source));
    }

    private void appendOnceBytesFlow(Receiver receiver, AtomicLong opened) {
        while (receiver.progress().snapshot().bytesTransferred() < 4 << 20) {
            Thread.onSpinWait();
        }
        try (RandomAccessFile file =
                new RandomAccessFile(source.resolve("changing").toFile(), "rw")) {
            file.seek(50 << 20);
            file.write(1);
            opened.incrementAndGet();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void sendsOnlyTheExtentsOfATerabyte() throws IOException {
        Trees.shell(
                source,
                "truncate -s 1T huge; for at in 1 333333 777777; do"
                        + " printf here | dd of=huge bs=1M seek=$at conv=notrunc status=none; done");
        try (TcpSource server = new TcpSource(source)) {
            assertThat(server.pullTo(target, OPTIONS).sent()).isLessThan(1 << 20);
        }
        assertThat(Trees.shell(target, "stat -c %s huge").trim()).isEqualTo(Long.toString(1L << 40));
        assertThat(Trees.shell(target, "dd if=huge bs=1M skip=777777 count=1 status=none | head -c 4"))
                .isEqualTo("here");
        assertThat(Long.parseLong(Trees.shell(target, "du -k . | cut -f1").trim()))
                .isLessThan(1000);
    }

    private void tree() throws IOException {
        Trees.write(source.resolve("one"), new byte[] {1});
        Trees.write(source.resolve("deep/er/file"), Trees.random(700_000, 3));
        Trees.write(source.resolve("large"), Trees.random(5_000_001, 6));
        Trees.shell(
                source,
                "touch empty; mkdir emptydir; ln -s empty link; mkdir many;"
                        + " for i in $(seq 2000); do echo $i > many/$i; done; chmod 750 many");
    }
}
