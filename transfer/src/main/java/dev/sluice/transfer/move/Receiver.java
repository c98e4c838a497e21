package dev.sluice.transfer.move;

import dev.sluice.ffi.zstd.Zstd;
import dev.sluice.ffi.zstd.ZstdNotFoundException;
import dev.sluice.transfer.protocol.FrameInput;
import dev.sluice.transfer.protocol.Hello;
import dev.sluice.transfer.protocol.ProtocolLimits;
import dev.sluice.transfer.protocol.TransferRole;
import dev.sluice.transfer.protocol.TransferSummary;
import dev.sluice.transfer.protocol.Wire;
import dev.sluice.transfer.tree.TargetTree;
import dev.sluice.transfer.tree.TransferException;
import dev.sluice.transfer.tree.TransferFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
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
    private final Duration pingInterval;

    /**
     * Opens the target.
     *
     * @param directory exists
     * @throws TransferException when it cannot be opened
     * @throws ZstdNotFoundException when the options want compression, and libzstd is absent
     */
    public Receiver(Path directory, ReceiverOptions options, TransferListener listener) throws TransferException {
        this(directory, options, listener, ProtocolLimits.PING_INTERVAL);
    }

    Receiver(Path directory, ReceiverOptions options, TransferListener listener, Duration pingInterval)
            throws TransferException {
        if (options.compression() == ReceiverOptions.Compression.ZSTD) {
            Zstd.require();
        }
        this.pingInterval = pingInterval;
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
        try (first) {
            return finish(() -> {
                for (int i = 1; i < Math.min(options.streams(), streams.limit()); i++) {
                    int stream = i;
                    threads.add(Thread.ofPlatform()
                            .name("sluice-receive-" + stream)
                            .start(() -> further(stream, id, streams)));
                }
                dial(0, first, id, streams);
            });
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
        return finish(() -> {
            TransferException loss = use(first, hello);
            if (loss != null) {
                session.awaitFirst(loss);
            }
        });
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
     * Uses a further accepted stream, or one that returns, until its end, on the calling thread, and closes it.
     *
     * @param hello the source's, of the same session
     */
    public void join(Wire wire, Hello hello) {
        TransferException _ = use(wire, hello);
    }

    private @Nullable TransferException use(Wire wire, Hello hello) {
        Hello ours = Hello.of(TransferRole.TARGET, hello.stream(), hello.session());
        try (TargetStream stream = stream(wire, ours)) {
            return stream.run(hello);
        } catch (TransferException e) {
            session.fail(e);
            return null;
        }
    }

    /** Creates a stream. Where that fails, the peer learns it, and the wire is closed. */
    private TargetStream stream(Wire wire, Hello ours) throws TransferException {
        try {
            return new TargetStream(session, wire, ours);
        } catch (RuntimeException | Error e) {
            TransferException failure = StreamFailures.of(e);
            StreamFailures.report(wire, ours, failure);
            wire.close();
            throw failure;
        }
    }

    /**
     * Ends the transfer if its first stream is lost and has not returned, since the same peer starts another one.
     * Returns whether it ends.
     */
    boolean giveUpIfLost() {
        return session.giveUpIfLost();
    }

    /** Closes a receiver that was never used. */
    public void close() {
        tree.close();
    }

    /** Ends the transfer at once, from any thread; what is complete stays. */
    public void cancel() {
        session.fail(new TransferException(TransferFailure.CANCELLED, "cancelled: directory=" + directory));
    }

    /** Runs a further stream, if the first has something left to do after a while. */
    private void further(int number, byte[] id, StreamFactory streams) {
        if (session.pause(number, streams.furtherAfter())) {
            dial(number, null, id, streams);
        }
    }

    /** Runs a stream that this side opens, and opens it again when its connection is lost. */
    private void dial(int number, @Nullable Wire opened, byte[] id, StreamFactory streams) {
        Redial redial = new Redial(streams, number, time -> session.pause(number, time));
        Hello ours = Hello.of(TransferRole.TARGET, number, id);
        try {
            for (Wire wire = opened == null ? redial.open() : opened; wire != null; wire = redial.open()) {
                try (TargetStream stream = stream(wire, ours)) {
                    TransferException loss = stream.run(null);
                    if (loss == null) {
                        return;
                    }
                    redial.lost(loss, stream.hasDelivered());
                }
            }
        } catch (TransferException e) {
            // The others go on without a further stream whose connections are lost.
            if (number == 0 || !StreamFailures.isLoss(e)) {
                session.fail(e);
            }
        }
    }

    private TransferSummary finish(Runnable streams) throws TransferException {
        try (tree;
                KeepAlive _ = KeepAlive.start(session, pingInterval)) {
            try {
                streams.run();
            } catch (RuntimeException | Error e) {
                // The other streams wait for what this one was to do, and use the tree.
                session.fail(StreamFailures.of(e));
            }
            session.end();
            session.abandonAll();
        }
        TransferException failure = session.failure();
        if (failure != null) {
            throw failure;
        }
        return new TransferSummary(session.filesComplete(), session.entriesFailed(), progress.bytesOnWire());
    }
}
