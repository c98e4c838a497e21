package dev.sluice.cli.transfer;

import dev.sluice.cli.command.Signals;
import dev.sluice.cli.command.StandardOptions;
import dev.sluice.transfer.identity.OwnKey;
import dev.sluice.transfer.move.Sender;
import dev.sluice.transfer.protocol.TransferRole;
import dev.sluice.transfer.protocol.TransferSummary;
import dev.sluice.transfer.protocol.Wire;
import dev.sluice.transfer.tree.SourceTree;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command that copies to a server. */
@Command(
        name = "push",
        description =
                "Copies files and directories into the directory of a machine that runs sluice serve --writable. The "
                        + "server decides on streams, links and existing files.",
        footer = {
            "",
            "Exit code: 0 when all was sent, 5 when some files failed, 75 when a repetition resumes, 2 when refused."
        })
public final class PushCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "HOST:PORT", description = "The server.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String server;

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "PATH",
            description = "Files and directories, each under its own name.")
    private List<Path> paths = new ArrayList<>();

    @Mixin
    private final PeerOptions peers = new PeerOptions();

    @Mixin
    private final TransferOptions common = new TransferOptions();

    @Mixin
    private final StandardOptions standard = new StandardOptions();

    @Override
    public Integer call() throws IOException {
        return common.report(standard.out(), standard.err()).run(this::push);
    }

    private int push(TransferReport report) throws IOException {
        try (OwnKey own = common.ownKey();
                SourceTree tree = SourceTree.of(paths, common.filters())) {
            Proof proof = Proof.byKey(Proof.Side.CONNECTS, own, peers.allowed());
            DialedStreams streams = new DialedStreams(GuestMeeting.at(server), proof);
            Sender sender = new Sender(tree, common.rateLimit());
            Wire first = streams.first();
            Signals.onTerminate(() -> {
                sender.cancel();
                streams.end();
            });
            report.started(streams.peer());
            TransferSummary summary;
            try (ProgressTicker _ = report.follow(TransferRole.SOURCE, sender.progress())) {
                summary = sender.send(first, DialedStreams.newSession(), streams);
            }
            return report.ended("Sent", summary);
        }
    }
}
