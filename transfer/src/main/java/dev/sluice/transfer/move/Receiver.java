package dev.sluice.transfer.move;

import dev.sluice.transfer.protocol.FrameInput;
import dev.sluice.transfer.protocol.Hello;
import dev.sluice.transfer.protocol.TransferRole;
import dev.sluice.transfer.protocol.TransferSummary;
import dev.sluice.transfer.protocol.Wire;
import dev.sluice.transfer.tree.TargetTree;
import dev.sluice.transfer.tree.TransferException;
import dev.sluice.transfer.tree.TransferFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A target of a tree: asks a source for what its directory lacks, over one or several streams. For one transfer.
 *
 * <p>{@link #pull} is for the side that connects. The side that accepts calls {@link #accept} with the first stream and
 * {@link #join} with each further one of the same session, on threads of their own.
 */
public final class Receiver {
    private final Path directory;
    private final ReceiverOptions options;
    private final TransferProgress progress = new TransferProgress();
    private final ReceiverSession session;
    private final TargetTree tree;

    /**
     * Opens the target.
     *
     * @param directory exists
     * @throws TransferException when it cannot be opened
     */
    public Receiver(Path directory, ReceiverOptions options, TransferListener listener) throws TransferException {
        this.directory = directory;
        this.options = options;
        this.tree = TargetTree.open(directory, options.policy());
        this.session = new ReceiverSession(tree, options, listener, progress);
    }

    /** Returns the counters, for a progress bar. */
    public TransferProgress progress() {
        return progress;
    }

    /** Returns the target directory. */
    public Path directory() {
        return directory;
    }

    /**
     * Transfers from a source that this side connected to; closes all streams and the target.
     *
     * @param id the identifier of the session, 16 random bytes
     * @param streams opens further streams, as many as the options want
     * @return the result; entries that failed are counted in it
     * @throws TransferException when the transfer as a whole fails; what is complete stays
     */
    public TransferSummary pull(Wire first, byte[] id, StreamFactory streams) throws TransferException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 1; i < options.streams(); i++) {
            int stream = i;
            threads.add(
                    Thread.ofPlatform().name("sluice-receive-" + stream).start(() -> pullMore(streams, stream, id)));
        }
        try {
            return finish(first, Hello.of(TransferRole.TARGET, 0, id), null);
        } finally {
            Sender.joinAll(threads);
        }
    }

    /**
     * Transfers from a source that connected to this side; closes all streams and the target.
     *
     * @param hello the source's, of stream 0; see {@link #readHello}
     * @return the result; entries that failed are counted in it
     * @throws TransferException when the transfer as a whole fails; what is complete stays
     */
    public TransferSummary accept(Wire first, Hello hello) throws TransferException {
        return finish(first, Hello.of(TransferRole.TARGET, 0, hello.session()), hello);
    }

    /**
     * Reads the hello of a source that connected, which names the session that the stream belongs to.
     *
     * @throws TransferException when the peer is no source, or has no version in common
     */
    public static Hello readHello(Wire wire) throws TransferException {
        try {
            return new FrameInput(wire).hello(TransferRole.TARGET);
        } catch (IOException e) {
            throw StreamFailures.of(e);
        }
    }

    /**
     * Uses a further accepted stream until its end, on the calling thread, and closes it.
     *
     * @param hello the source's, of the same session
     */
    public void join(Wire wire, Hello hello) {
        Hello ours = Hello.of(TransferRole.TARGET, Math.max(1, hello.stream()), hello.session());
        try (TargetStream stream = new TargetStream(session, wire, ours)) {
            stream.run(hello);
        }
    }

    /** Closes a receiver that was never used. */
    public void close() {
        tree.close();
    }

    /** Ends the transfer at once, from any thread; what is complete stays. */
    public void cancel() {
        session.fail(new TransferException(TransferFailure.CANCELLED, "cancelled: directory=" + directory));
    }

    private void pullMore(StreamFactory streams, int number, byte[] id) {
        Hello ours = Hello.of(TransferRole.TARGET, number, id);
        try (TargetStream stream = new TargetStream(session, streams.open(number), ours)) {
            stream.run(null);
        } catch (IOException e) {
            session.fail(StreamFailures.of(e));
        }
    }

    private TransferSummary finish(Wire first, Hello ours, @Nullable Hello theirs) throws TransferException {
        try (tree;
                TargetStream stream = new TargetStream(session, first, ours)) {
            stream.run(theirs);
            session.end();
            session.abandonAll();
        }
        TransferException failure = session.failure();
        if (failure != null) {
            throw failure;
        }
        return new TransferSummary(
                session.filesComplete(),
                session.entriesFailed(),
                progress.snapshot().bytesTransferred());
    }
}
