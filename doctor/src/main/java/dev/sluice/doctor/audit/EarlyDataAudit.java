package dev.sluice.doctor.audit;

import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL_EARLY_DATA_ACCEPTED;

import dev.sluice.doctor.finding.FindingKind;
import dev.sluice.doctor.probe.Contexts;
import dev.sluice.doctor.probe.DoctorLimits;
import dev.sluice.doctor.probe.ProbeException;
import dev.sluice.doctor.probe.TlsProbe;
import dev.sluice.doctor.wire.Version;
import dev.sluice.ffi.openssl.SslCtx;
import dev.sluice.ffi.openssl.SslSession;
import java.util.List;

/**
 * An audit of early data: sends a POST as early data and withholds the handshake's last message. A response then shows
 * that the server processed a request that anyone could replay.
 */
public final class EarlyDataAudit {
    private static final String SECTION = "early data";
    private static final String HTTP = "http/1.1";
    private static final String TOO_EARLY = "425";

    private final Audit audit;

    public EarlyDataAudit(Audit audit) {
        this.audit = audit;
    }

    public void run() {
        audit.attempt(this::ask);
    }

    private void ask() throws ProbeException {
        try (SslCtx context = Contexts.only(Version.TLS_1_3, List.of(HTTP));
                TlsProbe first =
                        TlsProbe.dial(audit.dialer(), audit.dialer().addresses().getFirst(), context)) {
            first.handshake();
            first.read(
                    audit.options().limits().firstTicket(),
                    1,
                    read -> !first.transcript().tickets().isEmpty());
            try (SslSession session = first.session()) {
                first.closeOutput();
                boolean allowed = first.transcript().tickets().stream().anyMatch(ticket -> ticket.maxEarlyData() > 0);
                if (session == null || !allowed) {
                    audit.facts().put(SECTION, "offered", false);
                    return;
                }
                audit.facts().put(SECTION, "offered", true);
                send(context, session);
            }
        }
    }

    private void send(SslCtx context, SslSession session) throws ProbeException {
        try (TlsProbe probe =
                TlsProbe.dial(audit.dialer(), audit.dialer().addresses().getFirst(), context)) {
            probe.resume(session);
            probe.writeEarlyData(Conversation.request("POST", audit.target()));
            probe.holdBack();
            probe.handshake();
            boolean accepted = probe.earlyDataStatus() == SSL_EARLY_DATA_ACCEPTED;
            audit.facts().put(SECTION, "accepted", accepted);
            if (!accepted) {
                return;
            }
            DoctorLimits limits = audit.options().limits();
            byte[] early = probe.read(limits.quiet(), limits.responseBytes(), read -> read.length > 0);
            judge(early);
            if (early.length == 0) {
                probe.goOn();
                byte[] late = probe.read(limits.step(), limits.responseBytes(), read -> read.length > 0);
                audit.facts().put(SECTION, "a POST before Finished", "held until the handshake is complete");
                audit.facts().put(SECTION, "status", Conversation.Http.status(late));
            }
        }
    }

    private void judge(byte[] early) {
        if (early.length == 0) {
            return;
        }
        String status = Conversation.Http.status(early);
        boolean refused = status.equals(TOO_EARLY);
        audit.facts().put(SECTION, "a POST before Finished", refused ? "refused: 425 Too Early" : "carried out");
        audit.facts().put(SECTION, "status", status);
        audit.findings().addIf(!refused, FindingKind.EARLY_DATA_REPLAYABLE, "a POST was answered by " + status);
    }
}
