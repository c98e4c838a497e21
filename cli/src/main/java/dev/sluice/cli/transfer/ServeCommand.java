package dev.sluice.cli.transfer;

import dev.sluice.cli.command.ExitCode;
import dev.sluice.cli.command.RefusedException;
import dev.sluice.cli.command.Signals;
import dev.sluice.cli.command.StandardOptions;
import dev.sluice.config.yaml.Addresses;
import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.SecureChannel;
import dev.sluice.transfer.identity.OwnKey;
import dev.sluice.transfer.move.Receiver;
import dev.sluice.transfer.move.ReceiverOptions;
import dev.sluice.transfer.move.Sender;
import dev.sluice.transfer.move.TransferServer;
import dev.sluice.transfer.protocol.ChannelWire;
import dev.sluice.transfer.protocol.TransferSummary;
import dev.sluice.transfer.tree.SourceTree;
import dev.sluice.transfer.tree.TransferException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that serves a directory to known peers. */
@Command(
        name = "serve",
        description =
                "Serves a directory to the machines whose keys are allowed, until it is stopped: sluice pull reads it, "
                        + "and with --writable sluice push writes it. --limit holds for all transfers together.",
        footer = {"", "Exit code: 0 when stopped by SIGINT or SIGTERM, 2 when refused."})
public final class ServeCommand implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", description = "The directory.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path directory;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            defaultValue = "0.0.0.0:4774",
            description = "The address to listen on. Default: ${DEFAULT-VALUE}")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String listen;

    @Option(names = "--writable", description = "Let peers write into the directory, too.")
    private boolean writable;

    @Mixin
    private final TargetOptions target = new TargetOptions();

    @Mixin
    private final PeerOptions peers = new PeerOptions();

    @Mixin
    private final TransferOptions common = new TransferOptions();

    @Mixin
    private final StandardOptions standard = new StandardOptions();

    @Override
    public Integer call() throws IOException {
        TransferReport report = common.report(standard.out(), standard.err());
        ReceiverOptions options = target.options(common);
        try (OwnKey own = common.ownKey();
                SourceTree tree = SourceTree.contentsOf(directory, common.filters());
                ListeningMeeting meeting = new ListeningMeeting(address())) {
            Sender sender = new Sender(tree, common.rateLimit());
            TransferServer server =
                    new TransferServer(sender, writable ? peer -> new Receiver(directory, options, report) : null);
            Proof proof = Proof.byKey(Proof.Side.ACCEPTS, own, peers.allowed());
            AcceptLoop loop = new AcceptLoop(meeting, proof, new Serving(server, report));
            Signals.onTerminate(() -> {
                loop.end();
                server.cancel();
            });
            report.serving(meeting.addressForPeers(), own.fingerprint());
            loop.run();
            return ExitCode.OK;
        }
    }

    private InetSocketAddress address() {
        try {
            return Addresses.toListen(listen);
        } catch (IllegalArgumentException bad) {
            throw new RefusedException(String.valueOf(bad.getMessage()));
        }
    }

    /** The use of connections by the server. Thread-safe. */
    private record Serving(TransferServer server, TransferReport report) implements AcceptLoop.Handler {
        @Override
        public void use(SecureChannel channel, String peer) {
            try {
                TransferSummary summary = server.serve(new ChannelWire(channel), peer);
                if (summary != null) {
                    report.served(peer, summary);
                }
            } catch (TransferException e) {
                report.problem("transfer with " + peer + " failed: " + e.getMessage());
            }
        }

        @Override
        public void refused(ChannelException cause) {
            report.problem("connection refused: " + cause.getMessage());
        }
    }
}
