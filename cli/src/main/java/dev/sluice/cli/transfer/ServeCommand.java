package dev.sluice.cli.transfer;

import dev.sluice.cli.command.ExitCode;
import dev.sluice.cli.command.Signals;
import dev.sluice.cli.command.StandardOptions;
import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.SecureChannel;
import dev.sluice.transfer.export.Export;
import dev.sluice.transfer.export.ExportSettings;
import dev.sluice.transfer.identity.OwnKey;
import dev.sluice.transfer.meet.MeetException;
import dev.sluice.transfer.meet.RendezvousId;
import dev.sluice.transfer.move.Receiver;
import dev.sluice.transfer.move.ReceiverOptions;
import dev.sluice.transfer.move.Sender;
import dev.sluice.transfer.move.TransferServer;
import dev.sluice.transfer.protocol.ChannelWire;
import dev.sluice.transfer.protocol.Hello;
import dev.sluice.transfer.protocol.TransferSummary;
import dev.sluice.transfer.tree.SourceTree;
import dev.sluice.transfer.tree.TransferException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that serves a directory to known peers. */
@Command(
        name = "serve",
        description =
                "Serves a directory to the machines whose keys are allowed, until it is stopped: sluice pull reads it, "
                        + "sluice mount mounts it, and with --writable sluice push writes it. --limit holds for all "
                        + "transfers together, not for mounts; with --include or --exclude nobody can mount.",
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

    @Option(names = "--writable", description = "Let peers write into the directory, and into their mounts of it.")
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
        return common.report(standard.out(), standard.err()).run(this::serve);
    }

    private int serve(TransferReport report) throws IOException {
        ReceiverOptions options = target.options(common);
        try (OwnKey own = common.ownKey();
                SourceTree tree = SourceTree.contentsOf(directory, common.filters());
                Export export = Export.open(directory, exported(options));
                HostMeeting meeting =
                        HostMeeting.at(RendezvousId.ofKey(own.fingerprint()), PeerAddresses.toListen(listen))) {
            Sender sender = new Sender(tree, common.rateLimit());
            TransferServer server =
                    new TransferServer(sender, writable ? peer -> new Receiver(directory, options, report) : null);
            Proof proof = Proof.byKey(Proof.Side.ACCEPTS, own, peers.allowed(), Export.settings(ChannelWire.SETTINGS));
            Export mounts = common.hasFilters() ? null : export;
            AcceptLoop loop = new AcceptLoop(meeting, proof, new Serving(server, mounts, report));
            Signals.onTerminate(() -> {
                server.cancel();
                loop.cancel();
            });
            report.serving(meeting.addressForPeers(), own.fingerprint());
            loop.run();
            return ExitCode.OK;
        }
    }

    private ExportSettings exported(ReceiverOptions options) {
        boolean extended = options.attributes() == ReceiverOptions.Attributes.EXTENDED;
        return new ExportSettings(
                writable ? ExportSettings.Access.READ_WRITE : ExportSettings.Access.READ_ONLY,
                extended ? ExportSettings.Attributes.USER : ExportSettings.Attributes.NONE,
                ExportSettings.DEFAULT_HANDLES);
    }

    /**
     * The use of connections by the server: a conversation's first byte tells the protocol. Thread-safe.
     *
     * @param mounts null to refuse mounts
     */
    private record Serving(TransferServer server, @Nullable Export mounts, TransferReport report)
            implements AcceptLoop.Handler {
        @Override
        public void use(SecureChannel channel, String peer) throws ChannelException {
            try (channel) {
                if (!channel.incoming().await()) {
                    return;
                }
                byte first = channel.incoming().peek();
                if (Hello.isFirst(first)) {
                    transfer(channel, peer);
                } else if (Export.isFirst(first)) {
                    mount(channel, peer);
                } else {
                    channel.finish();
                    report.problem(peer + " speaks an unknown protocol (first byte " + (first & 0xff)
                            + "); update the older side");
                }
            } catch (TransferException e) {
                report.problem("transfer with " + peer + " failed: " + e.getMessage());
            }
        }

        @Override
        public void failed(String peer, ChannelException cause) {
            report.problem("connection with " + peer + " failed: " + cause.getMessage());
        }

        private void transfer(SecureChannel channel, String peer) throws TransferException {
            // Two machines may have the same name in the list of keys.
            String identity = channel.peer().toString();
            TransferSummary summary = server.serve(new ChannelWire(channel), identity);
            if (summary != null) {
                report.served(peer, summary);
            }
        }

        private void mount(SecureChannel channel, String peer) throws ChannelException {
            if (mounts == null) {
                Export.refuse(channel);
                report.problem("mount by " + peer
                        + " refused: --include and --exclude hold for transfers only; serve without them");
                return;
            }
            report.mount(peer, "mounted");
            try {
                mounts.serve(channel);
            } finally {
                report.mount(peer, "unmounted");
            }
        }

        @Override
        public void refused(ChannelException cause) {
            report.problem("connection refused: " + cause.getMessage());
        }

        @Override
        public void blocked(MeetException cause) {
            report.problem("trying again: " + cause.getMessage());
        }
    }
}
