package dev.sluice.cli.transfer;

import dev.sluice.cli.command.RefusedException;
import dev.sluice.cli.command.Signals;
import dev.sluice.cli.command.StandardOptions;
import dev.sluice.config.yaml.Addresses;
import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.SecureChannel;
import dev.sluice.transfer.identity.AllowedKeys;
import dev.sluice.transfer.identity.OwnKey;
import dev.sluice.transfer.move.Sender;
import dev.sluice.transfer.pairing.PairingCode;
import dev.sluice.transfer.protocol.ChannelWire;
import dev.sluice.transfer.protocol.TransferSummary;
import dev.sluice.transfer.tree.SourceTree;
import dev.sluice.transfer.tree.TransferException;
import dev.sluice.transfer.tree.TransferFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that offers files once, to whoever has the code. */
@Command(
        name = "send",
        description = {
            "Offers files and directories once, and prints the line to type on the other machine. Its code permits "
                    + "one guess.",
            "With --peer: to the machine that has this key, without a code."
        },
        footer = {
            "",
            "Exit code: 0 when all was sent, 5 when some files failed, 75 when the same command may resume, 2 when "
                    + "refused."
        })
public final class SendCommand implements Callable<Integer> {
    /** As few digits as possible: no relay tells slots apart yet. */
    private static final int SLOTS = 10;

    @Parameters(arity = "1..*", paramLabel = "PATH", description = "Files and directories, each under its own name.")
    private List<Path> paths = new ArrayList<>();

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            defaultValue = "0.0.0.0:0",
            description = "The address to wait on. Default: any free port on all addresses")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String listen;

    @Option(
            names = "--peer",
            paramLabel = "FINGERPRINT",
            description = "The key of the machine that receives, as sluice keys shows it there.")
    private @Nullable String peer;

    @Mixin
    private final TransferOptions common = new TransferOptions();

    @Mixin
    private final StandardOptions standard = new StandardOptions();

    @Override
    public Integer call() throws IOException {
        TransferReport report = common.report(standard.out(), standard.err());
        try (OwnKey own = common.ownKey();
                SourceTree tree = SourceTree.of(paths, common.filters());
                ListeningMeeting meeting = listen()) {
            Sender sender = new Sender(tree, common.rateLimit());
            return new Offer(sender, report).run(meeting, proof(own, meeting, report));
        }
    }

    private ListeningMeeting listen() throws ChannelException {
        try {
            return new ListeningMeeting(Addresses.toListen(listen));
        } catch (IllegalArgumentException bad) {
            throw new RefusedException(String.valueOf(bad.getMessage()));
        }
    }

    private Proof proof(OwnKey own, ListeningMeeting meeting, TransferReport report) {
        String address = meeting.addressForPeers();
        String known = peer;
        if (known != null) {
            report.waiting("sluice receive " + address + " --peer " + own.fingerprint(), own.fingerprint());
            return Proof.byKey(Proof.Side.ACCEPTS, own, AllowedKeys.of(PeerOptions.fingerprint(known)));
        }
        PairingCode code = PairingCode.random(new SecureRandom().nextInt(SLOTS));
        report.waiting("sluice receive " + code + " --at " + address, own.fingerprint());
        return Proof.byCode(Proof.Side.ACCEPTS, own, code);
    }

    /** One offer: ends with the first transfer, or when the code is lost. Thread-safe. */
    private static final class Offer implements AcceptLoop.Handler {
        private final Sender sender;
        private final TransferReport report;
        private @Nullable Proof proof;
        private @Nullable AcceptLoop loop;
        private @Nullable TransferSummary summary;
        private @Nullable IOException failure;

        private Offer(Sender sender, TransferReport report) {
            this.sender = sender;
            this.report = report;
        }

        int run(Meeting meeting, Proof demanded) throws IOException {
            AcceptLoop accepting = new AcceptLoop(meeting, demanded, this);
            synchronized (this) {
                proof = demanded;
                loop = accepting;
            }
            Signals.onTerminate(this::cancel);
            try (ProgressTicker _ = ProgressTicker.start(report, sender.progress())) {
                accepting.run();
            }
            return result();
        }

        private synchronized int result() throws IOException {
            if (summary != null) {
                return report.ended("Sent", summary);
            }
            if (failure != null) {
                throw failure;
            }
            throw new IllegalStateException("the loop ended without a result");
        }

        private void cancel() {
            end(null, new TransferException(TransferFailure.CANCELLED, "sending ended"));
            sender.cancel();
        }

        private synchronized void end(@Nullable TransferSummary result, @Nullable IOException cause) {
            if (summary == null && failure == null) {
                summary = result;
                failure = cause;
            }
            if (loop != null) {
                loop.end();
            }
        }

        @Override
        public void use(SecureChannel channel, String peer) {
            try {
                TransferSummary result = sender.serve(new ChannelWire(channel));
                if (result != null) {
                    end(result, null);
                }
            } catch (TransferException e) {
                end(null, e);
            }
        }

        @Override
        public synchronized void refused(ChannelException cause) {
            if (proof != null && proof.isLost()) {
                end(
                        null,
                        new ChannelException(
                                cause.failure(),
                                "the code is void: somebody tried it and did not have it (" + cause.getMessage()
                                        + "); run the command again for a new one",
                                cause));
            }
        }
    }
}
