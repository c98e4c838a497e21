package dev.sluice.cli.transfer;

import dev.sluice.cli.command.RefusedException;
import dev.sluice.cli.command.StandardOptions;
import dev.sluice.transfer.identity.OwnKey;
import dev.sluice.transfer.move.ReceiverOptions;
import dev.sluice.transfer.tree.Names;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command that copies from a server. */
@Command(
        name = "pull",
        description = "Copies a file or directory of a machine that runs sluice serve, or all that it serves. What is "
                + "complete already is not transferred again; of changed files, only the chunks that changed.",
        footer = {
            "",
            "Exit code: 0 when all was received, 5 when some files failed, 75 when a repetition resumes, 2 when "
                    + "refused."
        })
public final class PullCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "HOST:PORT", description = "The server.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String server;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "PATH",
            description = "Relative to the served directory. Default: all of its contents.")
    private String path = "";

    @Mixin
    private final PullOptions target = new PullOptions();

    @Mixin
    private final PeerOptions peers = new PeerOptions();

    @Mixin
    private final TransferOptions common = new TransferOptions();

    @Mixin
    private final StandardOptions standard = new StandardOptions();

    @Override
    public Integer call() throws IOException {
        return common.report(standard.out(), standard.err()).run(this::pull);
    }

    private int pull(TransferReport report) throws IOException {
        ReceiverOptions options = target.options(common).withPath(servedPath(path));
        try (OwnKey own = common.ownKey()) {
            Proof proof = Proof.byKey(Proof.Side.CONNECTS, own, peers.allowed());
            return target.run(new DialedStreams(GuestMeeting.at(server), proof), options, report);
        }
    }

    /** Returns the bytes of a path without slashes at its ends; "." is all. */
    private static byte[] servedPath(String text) {
        String path = text.replaceAll("^(\\./|/)+", "").replaceAll("(/\\.?)+$", "");
        byte[] bytes = (path.equals(".") ? "" : path).getBytes(StandardCharsets.UTF_8);
        if (!Names.isPath(bytes)) {
            throw new RefusedException("\"" + text + "\" is no path below the served directory; write it without ..");
        }
        return bytes;
    }
}
