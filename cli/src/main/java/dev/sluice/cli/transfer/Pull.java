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

/** A transfer from a peer that this side connects to. */
final class Pull {
    private Pull() {}

    /**
     * Runs the transfer.
     *
     * @return the exit code
     * @throws IOException when it fails as a whole
     */
    static int run(DialedStreams streams, Path into, ReceiverOptions options, TransferReport report)
            throws IOException {
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
        Signals.onTerminate(receiver::cancel);
        report.started(streams.peer());
        TransferSummary summary;
        try (ProgressTicker _ = report.follow(TransferRole.TARGET, receiver.progress())) {
            summary = receiver.pull(first, DialedStreams.newSession(), streams);
        }
        return options.mode() == ReceiverOptions.Mode.DRY_RUN
                ? report.planned(summary)
                : report.ended("Received", summary);
    }
}
