package dev.sluice.cli.transfer;

import dev.sluice.cli.command.RefusedException;
import dev.sluice.cli.command.StandardOptions;
import dev.sluice.transfer.identity.AllowedKeys;
import dev.sluice.transfer.identity.KeyFingerprint;
import dev.sluice.transfer.identity.OwnKey;
import dev.sluice.transfer.meet.LanSettings;
import dev.sluice.transfer.meet.MeetException;
import dev.sluice.transfer.meet.MeetPlaces;
import dev.sluice.transfer.meet.RendezvousId;
import dev.sluice.transfer.move.ReceiverOptions;
import dev.sluice.transfer.pairing.PairingCode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
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
                "Receives what another machine offers by sluice send, into the current directory. Finds it in the "
                        + "local network, at its address, or at a relay. What is complete already is not transferred "
                        + "again.",
        footer = {
            "",
            "Exit code: 0 when all was received, 5 when some files failed, 75 when a repetition resumes, 2 when "
                    + "refused."
        })
public final class ReceiveCommand implements Callable<Integer> {
    private static final String FINGERPRINT = "sha256:";

    @Parameters(
            paramLabel = "CODE|FINGERPRINT|HOST:PORT",
            description = "The code or the fingerprint that sluice send shows, or its address with --peer.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String from;

    @Option(
            names = "--at",
            paramLabel = "HOST:PORT",
            description = "The address of the other machine; the local network is not searched.")
    private @Nullable String at;

    @Mixin
    private final MeetOptions places = new MeetOptions();

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
        return common.report(standard.out(), standard.err()).run(this::receive);
    }

    private int receive(TransferReport report) throws IOException {
        ReceiverOptions options = target.options(common);
        try (OwnKey own = common.ownKey()) {
            DialedStreams streams = isAddress() ? atAddress(own) : found(own, report);
            return target.run(streams, options, report);
        }
    }

    private boolean isAddress() {
        return from.indexOf(':') >= 0 && !from.startsWith(FINGERPRINT);
    }

    private DialedStreams atAddress(OwnKey own) throws MeetException {
        if (at != null || places.relayText() != null) {
            throw new RefusedException(
                    "--at and --relay need a code or a fingerprint; " + from + " is an address already");
        }
        Proof proof = Proof.byKey(Proof.Side.CONNECTS, own, peers.allowed());
        return new DialedStreams(GuestMeeting.at(from), proof);
    }

    private DialedStreams found(OwnKey own, TransferReport report) throws MeetException {
        RendezvousId id;
        Proof proof;
        if (from.startsWith(FINGERPRINT)) {
            KeyFingerprint sender = PeerOptions.fingerprint(from);
            id = RendezvousId.ofKey(sender);
            proof = Proof.byKey(Proof.Side.CONNECTS, own, AllowedKeys.of(sender));
        } else {
            PairingCode code = code();
            id = RendezvousId.ofSlot(code.slot());
            proof = Proof.byCode(Proof.Side.CONNECTS, own, code);
        }
        MeetPlaces where = where();
        report.searching(text(where));
        return new DialedStreams(new GuestMeeting(id, where), proof);
    }

    private PairingCode code() {
        try {
            return PairingCode.parse(from);
        } catch (IllegalArgumentException bad) {
            throw new RefusedException(String.valueOf(bad.getMessage()));
        }
    }

    private MeetPlaces where() throws MeetException {
        InetSocketAddress relay = places.relay();
        List<InetSocketAddress> addresses = at == null ? List.of() : PeerAddresses.toConnect(at);
        LanSettings lan = at == null ? places.lan() : null;
        if (addresses.isEmpty() && lan == null && relay == null) {
            throw new RefusedException("nowhere to look for " + from + "; add --at or --relay, or leave out --no-lan");
        }
        return new MeetPlaces(addresses, lan, relay, MeetPlaces.NEAR_LIMIT);
    }

    private String text(MeetPlaces where) {
        List<String> texts = new ArrayList<>();
        if (at != null) {
            texts.add("at " + at);
        }
        if (where.lan() != null) {
            texts.add("in the local network");
        }
        if (where.relay() != null) {
            texts.add("at the relay " + places.relayText());
        }
        return String.join(" and ", texts);
    }
}
