package dev.sluice.transfer.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.transfer.protocol.FrameInput;
import dev.sluice.transfer.protocol.FrameOutput;
import dev.sluice.transfer.protocol.FrameType;
import dev.sluice.transfer.protocol.Hello;
import dev.sluice.transfer.protocol.TransferRole;
import dev.sluice.transfer.protocol.TransferSummary;
import dev.sluice.transfer.protocol.Wire;
import dev.sluice.transfer.tree.Filters;
import dev.sluice.transfer.tree.SourceTree;
import dev.sluice.transfer.tree.TargetPolicy;
import dev.sluice.transfer.tree.TargetTree;
import dev.sluice.transfer.tree.TransferException;
import dev.sluice.transfer.tree.TransferFailure;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Servers that permit pulls, pushes or neither. */
@Timeout(60)
final class TransferServerTest extends TwoDirectories {
    private static final StreamFactory NO_MORE = ((StreamFactory) stream -> {
                throw new IOException("one stream is enough");
            })
            .with(Reconnection.NONE);

    private final List<Thread> threads = new CopyOnWriteArrayList<>();

    @BeforeEach
    void makeTree() throws IOException {
        Trees.write(source.resolve("file"), Trees.random(600_000, 1));
    }

    @AfterEach
    void awaitServer() {
        Sender.joinAll(threads);
    }

    @Test
    void receivesAPushOverSeveralStreams() throws IOException {
        TransferServer server = new TransferServer(
                null, peer -> new Receiver(target, ReceiverOptions.DEFAULT.withStreams(3), TransferListener.NONE));
        try (SourceTree tree = SourceTree.contentsOf(source, Filters.NONE)) {
            PipeWire[] first = PipeWire.pair();
            CompletableFuture<TransferSummary> served = serve(server, first[1], "anna");
            TransferSummary sent = new Sender(tree, BandwidthLimit.NONE).send(first[0], Trees.ID, stream -> {
                PipeWire[] more = PipeWire.pair();
                CompletableFuture<TransferSummary> _ = serve(server, more[1], "anna");
                return more[0];
            });
            assertThat(served.join()).isEqualTo(sent);
        }
        assertThat(Trees.listing(target)).isEqualTo(Trees.listing(source));
    }

    @Test
    void refusesPushesWithoutATarget() throws IOException {
        TransferServer server = new TransferServer(null, null);
        PipeWire[] ends = PipeWire.pair();
        CompletableFuture<TransferSummary> served = serve(server, ends[1], "anna");
        try (SourceTree tree = SourceTree.contentsOf(source, Filters.NONE)) {
            Sender sender = new Sender(tree, BandwidthLimit.NONE);
            TransferException refusal =
                    catchThrowableOfType(TransferException.class, () -> sender.send(ends[0], Trees.ID, NO_MORE));
            assertThat(refusal.failure()).isEqualTo(TransferFailure.REFUSED);
            assertThat(refusal).hasMessageContaining("receives nothing");
        }
        assertThat(failureOf(served)).isEqualTo(TransferFailure.REFUSED);
    }

    @Test
    void tellsAPeerWhyItsPushHasNoTarget() throws IOException {
        TransferServer server = new TransferServer(null, peer -> {
            throw new TransferException(TransferFailure.RESOURCES, "no descriptor is left");
        });
        PipeWire[] ends = PipeWire.pair();
        CompletableFuture<TransferSummary> served = serve(server, ends[1], "anna");
        try (SourceTree tree = SourceTree.contentsOf(source, Filters.NONE)) {
            Sender sender = new Sender(tree, BandwidthLimit.NONE);
            TransferException answer =
                    catchThrowableOfType(TransferException.class, () -> sender.send(ends[0], Trees.ID, NO_MORE));
            assertThat(answer.failure()).isEqualTo(TransferFailure.RESOURCES);
            assertThat(answer).hasMessageContaining("no descriptor is left");
        }
        assertThat(failureOf(served)).isEqualTo(TransferFailure.RESOURCES);
    }

    /** A stream that was accepted just before: nothing would end its transfer any more. */
    @Test
    void refusesStreamsAfterItWasCancelled() throws IOException {
        TransferServer server =
                new TransferServer(null, peer -> new Receiver(target, ReceiverOptions.DEFAULT, TransferListener.NONE));
        server.cancel();
        try (PipeWire first = open(server, 0, "anna")) {
            FrameInput in = new FrameInput(first);
            assertThat(in.next()).isEqualTo(FrameType.HELLO);
            TransferException answer = catchThrowableOfType(TransferException.class, in::next);
            assertThat(answer.failure()).isEqualTo(TransferFailure.CANCELLED);
        }
    }

    @Test
    void pingsOnlyAfterTheHello() throws IOException {
        PipeWire[] ends = PipeWire.pair();
        try (PipeWire ours = ends[0];
                PipeWire theirs = ends[1]) {
            StreamOutput out = new StreamOutput(ours);
            assertThat(out.ping()).isTrue();
            out.hello(Hello.of(TransferRole.TARGET, 0, Trees.ID));
            assertThat(out.ping()).isTrue();
            FrameInput in = new FrameInput(theirs);
            assertThat(in.next()).isEqualTo(FrameType.HELLO);
            assertThat(in.next()).isEqualTo(FrameType.PING);
        }
    }

    @Test
    void refusesPullsWithoutASource() throws IOException {
        TransferServer server = new TransferServer(null, null);
        PipeWire[] ends = PipeWire.pair();
        CompletableFuture<TransferSummary> served = serve(server, ends[1], "anna");
        Receiver receiver = new Receiver(target, ReceiverOptions.DEFAULT, TransferListener.NONE);
        TransferException refusal =
                catchThrowableOfType(TransferException.class, () -> receiver.pull(ends[0], Trees.ID, NO_MORE));
        assertThat(refusal.failure()).isEqualTo(TransferFailure.REFUSED);
        assertThat(failureOf(served)).isEqualTo(TransferFailure.REFUSED);
    }

    @Test
    void noOtherPeerJoinsASession() throws IOException {
        TransferServer server = new TransferServer(
                null, peer -> new Receiver(target, ReceiverOptions.DEFAULT.withStreams(2), TransferListener.NONE));
        try (PipeWire first = open(server, 0, "anna")) {
            assertThat(new FrameInput(first).hello().role()).isEqualTo(TransferRole.TARGET);
            assertThat(answerTo(server, 1, "bert")).isEqualTo(TransferFailure.REFUSED);
            assertThat(answerTo(server, 1, "anna")).isEqualTo(TransferFailure.NONE);
            server.cancel();
        }
    }

    @Test
    void aStreamThatComesAfterTheEndFailsNothing() throws IOException {
        try (TargetTree tree = TargetTree.open(target, TargetPolicy.DEFAULT)) {
            ReceiverSession session =
                    new ReceiverSession(tree, ReceiverOptions.DEFAULT, TransferListener.NONE, new TransferProgress());
            session.end();
            PipeWire[] ends = PipeWire.pair();
            Hello hello = Hello.of(TransferRole.TARGET, 1, Trees.ID);
            try (PipeWire peer = ends[1];
                    TargetStream late = new TargetStream(session, ends[0], hello)) {
                new FrameOutput(peer).hello(Hello.of(TransferRole.SOURCE, 1, Trees.ID));
                peer.finish();
                assertThat(late.run(null)).isNull();
                assertThat(session.failure()).isNull();
                FrameInput answer = new FrameInput(peer);
                assertThat(answer.next()).isEqualTo(FrameType.HELLO);
                assertThat(answer.next()).isEqualTo(FrameType.START);
                assertThat(answer.nextOrEnd()).isNull();
            }
        }
    }

    @Test
    void tellsAPeerOfAnotherVersion() throws IOException {
        TransferServer server = new TransferServer(null, null);
        PipeWire[] ends = PipeWire.pair();
        CompletableFuture<TransferSummary> served = serve(server, ends[1], "anna");
        try (PipeWire peer = ends[0]) {
            FrameOutput out = new FrameOutput(peer);
            out.hello(new Hello(7, 9, TransferRole.TARGET, 0, Trees.ID));
            out.flush();
            TransferException answer =
                    catchThrowableOfType(TransferException.class, () -> new FrameInput(peer).hello());
            assertThat(answer.failure()).isEqualTo(TransferFailure.VERSION_MISMATCH);
        }
        assertThat(failureOf(served)).isEqualTo(TransferFailure.VERSION_MISMATCH);
    }

    @Test
    void endsATransferThatIsCancelled() throws IOException {
        Trees.write(source.resolve("large"), Trees.random(5 << 20, 2));
        try (SourceTree tree = SourceTree.contentsOf(source, Filters.NONE)) {
            Sender sender = new Sender(tree, new BandwidthLimit(1 << 20));
            PipeWire[] ends = PipeWire.pair();
            CompletableFuture<TransferSummary> served = serve(new TransferServer(sender, null), ends[1], "anna");
            Receiver receiver = new Receiver(target, ReceiverOptions.DEFAULT, event -> {});
            Thread canceller = Thread.ofPlatform().start(() -> {
                while (receiver.progress().snapshot().bytesTransferred() == 0) {
                    Thread.onSpinWait();
                }
                sender.cancel();
            });
            TransferException lost =
                    catchThrowableOfType(TransferException.class, () -> receiver.pull(ends[0], Trees.ID, NO_MORE));
            Sender.joinAll(List.of(canceller));
            assertThat(lost.failure()).isEqualTo(TransferFailure.PEER_VANISHED);
            assertThat(failureOf(served)).isEqualTo(TransferFailure.CANCELLED);
        }
    }

    private PipeWire open(TransferServer server, int stream, String peer) throws IOException {
        PipeWire[] ends = PipeWire.pair();
        CompletableFuture<TransferSummary> _ = serve(server, ends[1], peer);
        FrameOutput out = new FrameOutput(ends[0]);
        out.hello(Hello.of(TransferRole.SOURCE, stream, Trees.ID));
        out.flush();
        return ends[0];
    }

    /** Returns the failure with which a server answers a hello, or that it answers with its own. */
    private TransferFailure answerTo(TransferServer server, int stream, String peer) throws IOException {
        try (PipeWire wire = open(server, stream, peer)) {
            try {
                new FrameInput(wire).hello();
                return TransferFailure.NONE;
            } finally {
                wire.abort();
            }
        } catch (TransferException e) {
            return e.failure();
        }
    }

    private CompletableFuture<TransferSummary> serve(TransferServer server, Wire wire, String peer) {
        CompletableFuture<TransferSummary> result = new CompletableFuture<>();
        threads.add(Thread.ofPlatform().start(() -> {
            try {
                result.complete(server.serve(wire, peer));
            } catch (TransferException e) {
                result.completeExceptionally(e);
            }
        }));
        return result;
    }

    private static TransferFailure failureOf(CompletableFuture<TransferSummary> served) {
        CompletionException failure = catchThrowableOfType(CompletionException.class, served::join);
        return ((TransferException) Objects.requireNonNull(failure.getCause())).failure();
    }
}
