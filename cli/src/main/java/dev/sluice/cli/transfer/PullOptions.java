package dev.sluice.cli.transfer;

import dev.sluice.cli.command.RefusedException;
import dev.sluice.cli.command.Signals;
import dev.sluice.transfer.move.Receiver;
import dev.sluice.transfer.move.ReceiverOptions;
import dev.sluice.transfer.protocol.TransferRole;
import dev.sluice.transfer.protocol.TransferSummary;
import dev.sluice.transfer.protocol.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of a transfer from a peer that this side connects to. */
final class PullOptions {
    @Option(names = "--into", paramLabel = "DIR", defaultValue = ".", description = "The directory to write into.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path into;

    @Option(
            names = {"-n", "--dry-run"},
            description = "Write nothing; list the files that would be transferred.")
    private boolean dryRun;

    @Mixin
    private final TargetOptions target = new TargetOptions();

    /** Returns the options of the receiver. */
    ReceiverOptions options(TransferOptions common) {
        return target.options(common).withMode(dryRun ? ReceiverOptions.Mode.DRY_RUN : ReceiverOptions.Mode.TRANSFER);
    }

    /**
     * Runs the transfer.
     *
     * @param options of {@link #options}, perhaps with a path
     * @return the exit code
     * @throws IOException when it fails as a whole
     */
    int run(DialedStreams streams, ReceiverOptions options, TransferReport report) throws IOException {
        if (!Files.isDirectory(into)) {
            throw new RefusedException("--into " + into + " is no directory; create it");
        }
        Receiver receiver = new Receiver(into, options, report);
        Wire first;
        try {
            first = streams.first();
        } catch (IOException e) {
            receiver.close();
            throw e;
        }
        Signals.onTerminate(() -> {
            receiver.cancel();
            streams.end();
        });
        report.started(streams.peer());
        TransferSummary summary;
        try (ProgressTicker _ = report.follow(TransferRole.TARGET, receiver.progress())) {
            summary = receiver.pull(first, DialedStreams.newSession(), streams);
        }
        return dryRun ? report.planned(summary) : report.ended("Received", summary);
    }
}
