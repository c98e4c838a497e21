package dev.sluice.cli.transfer;

import dev.sluice.cli.command.Signals;
import dev.sluice.cli.command.StandardOptions;
import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.SecureChannel;
import dev.sluice.transfer.identity.AllowedKeys;
import dev.sluice.transfer.identity.OwnKey;
import dev.sluice.transfer.meet.MeetException;
import dev.sluice.transfer.meet.RendezvousId;
import dev.sluice.transfer.move.Reconnection;
import dev.sluice.transfer.move.ReturnWatch;
import dev.sluice.transfer.move.Sender;
import dev.sluice.transfer.pairing.PairingCode;
import dev.sluice.transfer.protocol.ChannelWire;
import dev.sluice.transfer.protocol.TransferRole;
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
            "Offers files and directories once, and prints the line to type on the other machine, which finds this "
                    + "one in the local network, at its address, or at a relay. Its code permits one guess.",
            "With --peer: to the machine that has this key, without a code."
        },
        footer = {
            "",
            "Exit code: 0 when all was sent, 5 when some files failed, 75 when the same command may resume, 2 when "
                    + "refused."
        })
public final class SendCommand implements Callable<Integer> {
    /** Few digits, and many for the senders of one local network. */
    private static final int SLOTS_IN_LAN = 10_000;

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
    private final MeetOptions places = new MeetOptions();

    @Mixin
    private final TransferOptions common = new TransferOptions();

    @Mixin
    private final StandardOptions standard = new StandardOptions();

    @Override
    public Integer call() throws IOException {
        return common.report(standard.out(), standard.err()).run(this::offer);
    }

    private int offer(TransferReport report) throws IOException {
        PairingCode code = peer == null ? PairingCode.random(slot()) : null;
        try (OwnKey own = common.ownKey();
                SourceTree tree = SourceTree.of(paths, common.filters());
                HostMeeting meeting = meeting(own, code, report)) {
            Proof proof = proof(own, code);
            Sender sender = new Sender(tree, common.rateLimit());
            String word = code == null ? own.fingerprint().toString() : code.toString();
            String line = line(word, meeting);
            String direct = meeting.isLocal() ? line : direct(word, meeting);
            return new Offer(sender, report).run(meeting, proof, () -> report.waiting(line, direct, own.fingerprint()));
        }
    }

    /** Strangers share a relay. */
    private int slot() {
        int slots = places.relayText() == null ? SLOTS_IN_LAN : PairingCode.MAX_SLOT + 1;
        return new SecureRandom().nextInt(slots);
    }

    private HostMeeting meeting(OwnKey own, @Nullable PairingCode code, TransferReport report) throws MeetException {
        RendezvousId id = code == null ? RendezvousId.ofKey(own.fingerprint()) : RendezvousId.ofSlot(code.slot());
        return HostMeeting.at(id, PeerAddresses.toListen(listen), places, report::problem);
    }

    private Proof proof(OwnKey own, @Nullable PairingCode code) {
        return code == null
                ? Proof.byKey(Proof.Side.ACCEPTS, own, AllowedKeys.of(PeerOptions.fingerprint(String.valueOf(peer))))
                : Proof.byCode(Proof.Side.ACCEPTS, own, code);
    }

    private String line(String word, HostMeeting meeting) {
        String relay = places.relayText();
        if (relay != null) {
            return "sluice receive " + word + " --relay " + relay;
        }
        return meeting.isInLan() ? "sluice receive " + word : direct(word, meeting);
    }

    private static String direct(String word, HostMeeting meeting) {
        return "sluice receive " + word + " --at " + meeting.addressForPeers();
    }

    /** One offer: ends with the first transfer, or when the code is lost. Thread-safe. */
    private static final class Offer implements AcceptLoop.Handler {
        private final Sender sender;
        private final TransferReport report;
        private final ReturnWatch receiver = new ReturnWatch(Reconnection.RETURN_LIMIT, loss -> end(null, loss));
        private @Nullable Proof proof;
        private @Nullable AcceptLoop loop;
        private @Nullable TransferSummary summary;
        private @Nullable IOException failure;

        private Offer(Sender sender, TransferReport report) {
            this.sender = sender;
            this.report = report;
        }

        /**
         * Runs the offer.
         *
         * @param announcement printed when a signal is heeded already, since it says that one ends the offer
         */
        int run(HostMeeting meeting, Proof demanded, Runnable announcement) throws IOException {
            AcceptLoop accepting = new AcceptLoop(meeting, demanded, this);
            synchronized (this) {
                proof = demanded;
                loop = accepting;
            }
            Signals.onTerminate(this::cancel);
            announcement.run();
            try (ProgressTicker _ = report.follow(TransferRole.SOURCE, sender.progress())) {
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
            cancelLoop();
        }

        private synchronized void cancelLoop() {
            if (loop != null) {
                loop.cancel();
            }
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
            report.started(peer);
            receiver.began();
            try {
                TransferSummary result = sender.serve(new ChannelWire(channel));
                receiver.ended();
                if (result != null) {
                    end(result, null);
                }
            } catch (TransferException e) {
                if (receiver.lost(e)) {
                    report.problem(e.getMessage() + "; waiting " + Reconnection.RETURN_LIMIT.toSeconds()
                            + " s for the receiver to return");
                } else {
                    end(null, e);
                }
            }
        }

        @Override
        public void failed(String peer, ChannelException cause) {
            end(null, cause);
        }

        @Override
        public void blocked(MeetException cause) {
            report.problem("trying again: " + cause.getMessage());
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
