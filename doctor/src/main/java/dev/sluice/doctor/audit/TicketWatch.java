package dev.sluice.doctor.audit;

import dev.sluice.doctor.finding.FindingKind;
import dev.sluice.doctor.probe.Contexts;
import dev.sluice.doctor.probe.ProbeException;
import dev.sluice.doctor.probe.TicketKeyNames;
import dev.sluice.doctor.probe.TlsProbe;
import dev.sluice.ffi.openssl.SslCtx;
import java.time.Duration;
import java.util.List;

/** A watch of the ticket key, through a full handshake now and then. */
public final class TicketWatch {
    private static final String SECTION = "ticket key";
    private static final int LOOKS = 12;

    /** The sealing time above which a key is reported. */
    private static final Duration LONG = Duration.ofHours(24);

    private final Audit audit;

    public TicketWatch(Audit audit) {
        this.audit = audit;
    }

    public void run(Duration time) {
        TicketKeyNames names = new TicketKeyNames();
        for (int i = 0; i <= LOOKS; i++) {
            audit.attempt(() -> look(names));
            if (i < LOOKS && !sleep(time.dividedBy(LOOKS))) {
                break;
            }
        }
        audit.facts().put(SECTION, "watched for", time.toString());
        audit.facts().put(SECTION, "handshakes with tickets", names.handshakes());
        if (!names.isVisible()) {
            audit.facts().put(SECTION, "keys", "not visible in the tickets");
            return;
        }
        audit.facts().put(SECTION, "keys", names.distinct());
        audit.findings()
                .addIf(
                        names.distinct() == 1 && time.compareTo(LONG) >= 0,
                        FindingKind.TICKET_KEY_STATIC,
                        "the same in " + names.handshakes() + " handshakes within " + time.toHours() + " hours");
    }

    private void look(TicketKeyNames names) throws ProbeException {
        try (SslCtx context = Contexts.anyVersion(List.of());
                TlsProbe probe =
                        TlsProbe.dial(audit.dialer(), audit.dialer().addresses().getFirst(), context)) {
            probe.handshake();
            probe.read(
                    audit.options().limits().firstTicket(),
                    1,
                    read -> !probe.transcript().tickets().isEmpty());
            names.add(probe.transcript().tickets());
            probe.closeOutput();
        }
    }

    private static boolean sleep(Duration time) {
        try {
            Thread.sleep(time);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
