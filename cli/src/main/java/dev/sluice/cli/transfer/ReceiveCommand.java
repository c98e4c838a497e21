package dev.sluice.cli.transfer;

import dev.sluice.cli.command.RefusedException;
import dev.sluice.cli.command.StandardOptions;
import dev.sluice.transfer.identity.OwnKey;
import dev.sluice.transfer.move.ReceiverOptions;
import dev.sluice.transfer.pairing.PairingCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that receives what another machine offers by {@code send}. */
@Command(
        name = "receive",
        description =
                "Receives what another machine offers by sluice send, into the current directory. What is complete "
                        + "there already is not transferred again.",
        footer = {
            "",
            "Exit code: 0 when all was received, 5 when some files failed, 75 when a repetition resumes, 2 when "
                    + "refused."
        })
public final class ReceiveCommand implements Callable<Integer> {
    @Parameters(paramLabel = "CODE|HOST:PORT", description = "The code that sluice send shows, or its address.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String from;

    @Option(names = "--at", paramLabel = "HOST:PORT", description = "The address of the other machine, with a code.")
    private @Nullable String at;

    @Option(names = "--into", paramLabel = "DIR", defaultValue = ".", description = "The directory to write into.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path into;

    @Option(
            names = {"-n", "--dry-run"},
            description = "Write nothing; list the files that would be transferred.")
    private boolean dryRun;

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
        ReceiverOptions options =
                target.options(common).withMode(dryRun ? ReceiverOptions.Mode.DRY_RUN : ReceiverOptions.Mode.TRANSFER);
        try (OwnKey own = common.ownKey();
                DialedMeeting meeting = DialedMeeting.with(address())) {
            return Pull.run(new DialedStreams(meeting, proof(own)), into, options, report);
        }
    }

    private boolean isAddress() {
        return from.indexOf(':') >= 0;
    }

    private String address() {
        if (isAddress()) {
            return from;
        }
        if (at == null) {
            throw new RefusedException(
                    "no address for the code " + from + "; add --at HOST:PORT, as sluice send shows it");
        }
        return at;
    }

    private Proof proof(OwnKey own) {
        if (isAddress()) {
            return Proof.byKey(Proof.Side.CONNECTS, own, peers.allowed());
        }
        try {
            return Proof.byCode(Proof.Side.CONNECTS, own, PairingCode.parse(from));
        } catch (IllegalArgumentException bad) {
            throw new RefusedException(String.valueOf(bad.getMessage()));
        }
    }
}
