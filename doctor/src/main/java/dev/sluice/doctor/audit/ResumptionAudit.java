package dev.sluice.doctor.audit;

import dev.sluice.doctor.finding.Facts;
import dev.sluice.doctor.finding.FindingKind;
import dev.sluice.doctor.finding.Findings;
import dev.sluice.doctor.probe.Contexts;
import dev.sluice.doctor.probe.DoctorLimits;
import dev.sluice.doctor.probe.ProbeException;
import dev.sluice.doctor.probe.Ticket;
import dev.sluice.doctor.probe.TicketKeyNames;
import dev.sluice.doctor.probe.TlsProbe;
import dev.sluice.doctor.wire.Version;
import dev.sluice.ffi.openssl.SslCtx;
import dev.sluice.ffi.openssl.SslSession;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An audit of resumption: the session of one full handshake is offered five times over all addresses of the name. If
 * not all succeed, the newest session is offered three times, since some servers accept a session once only.
 */
public final class ResumptionAudit {
    private static final String SECTION = "resumption";
    private static final int RECONNECTS = 5;
    private static final int CHAINED = 3;
    private static final String TICKETS_COME_LATER = "TLSv1.3";
    private static final int USUAL_TICKETS = 2;
    private static final Duration SHORT_LIFE = Duration.ofHours(1);

    private final Audit audit;
    private final TicketKeyNames keyNames = new TicketKeyNames();

    public ResumptionAudit(Audit audit) {
        this.audit = audit;
    }

    /** Tries each version with its own form of resumption. */
    public void run(Set<Version> accepted) {
        for (Version version : List.of(Version.TLS_1_3, Version.TLS_1_2)) {
            if (accepted.contains(version)) {
                audit.attempt(() -> run(version));
            }
        }
        if (keyNames.isVisible()) {
            audit.facts().put(SECTION, "ticket keys seen", keyNames.distinct());
        }
    }

    private void run(Version version) throws ProbeException {
        try (SslCtx context = Contexts.only(version, List.of());
                Visit first = visit(context, audit.dialer().addresses().getFirst(), null)) {
            describe(version, first.tickets());
            SslSession session = first.session();
            if (session == null) {
                audit.facts().put(SECTION, version.text(), "no session is given");
                audit.findings().add(FindingKind.NO_RESUMPTION, version.text() + ": no ticket and no session id");
                return;
            }
            List<Boolean> resumed = repeat(context, session);
            List<Boolean> chained = resumed.contains(false) ? chain(context, session) : List.of();
            audit.facts().put(SECTION, version.text(), words(resumed));
            if (!chained.isEmpty()) {
                audit.facts().put(SECTION, version.text() + ", the newest session each time", words(chained));
            }
            judge(version, resumed, chained);
        }
    }

    private List<Boolean> repeat(SslCtx context, SslSession session) throws ProbeException {
        List<InetAddress> addresses = audit.dialer().addresses();
        List<Boolean> resumed = new ArrayList<>();
        for (int i = 0; i < RECONNECTS; i++) {
            try (Visit visit = visit(context, addresses.get((i + 1) % addresses.size()), session)) {
                resumed.add(visit.resumed());
            }
        }
        return resumed;
    }

    private List<Boolean> chain(SslCtx context, SslSession first) throws ProbeException {
        List<Boolean> resumed = new ArrayList<>();
        SslSession session = first.share();
        try {
            for (int i = 0; i < CHAINED; i++) {
                try (Visit visit = visit(context, audit.dialer().addresses().getFirst(), session)) {
                    resumed.add(visit.resumed());
                    SslSession newer = visit.session();
                    if (newer != null) {
                        session.close();
                        session = newer.share();
                    }
                }
            }
        } finally {
            session.close();
        }
        return resumed;
    }

    private void judge(Version version, List<Boolean> resumed, List<Boolean> chained) {
        if (!resumed.contains(false)) {
            return;
        }
        // The first of the chain offers the old session again.
        boolean newestAlways =
                !chained.isEmpty() && !chained.subList(1, chained.size()).contains(false);
        if (newestAlways && !keyNames.differ()) {
            audit.facts().put(SECTION, version.text() + " sessions", "each can be used once");
            return;
        }
        boolean sometimes = resumed.contains(true) || chained.contains(true) || keyNames.differ();
        String figure = version.text() + ": " + words(resumed)
                + (keyNames.differ() ? "; " + keyNames.distinct() + " ticket keys take turns" : "");
        audit.findings().add(sometimes ? FindingKind.TICKETS_NOT_SHARED : FindingKind.NO_RESUMPTION, figure);
    }

    private void describe(Version version, List<Ticket> tickets) {
        Facts facts = audit.facts();
        facts.put(SECTION, version.text() + " tickets", tickets.size());
        if (tickets.isEmpty()) {
            return;
        }
        Ticket ticket = tickets.getFirst();
        long lifetime = ticket.lifetimeSeconds();
        facts.put(SECTION, version.text() + " ticket bytes", ticket.bytes());
        facts.put(SECTION, version.text() + " ticket lifetime", lifetime + " s");
        Findings findings = audit.findings();
        findings.addIf(
                lifetime > 0 && lifetime < SHORT_LIFE.toSeconds(),
                FindingKind.SHORT_SESSIONS,
                version.text() + ": " + lifetime + " s");
        int bytes = tickets.stream().mapToInt(Ticket::bytes).sum();
        findings.addIf(
                tickets.size() > USUAL_TICKETS,
                FindingKind.MANY_TICKETS,
                tickets.size() + " tickets, " + bytes + " bytes");
        if (version == Version.TLS_1_3) {
            facts.put(SECTION, "early data", ticket.maxEarlyData() + " bytes");
            findings.addIf(
                    ticket.maxEarlyData() > 0,
                    FindingKind.EARLY_DATA_OFFERED,
                    "up to " + ticket.maxEarlyData() + " bytes");
        }
    }

    private Visit visit(SslCtx context, InetAddress address, @Nullable SslSession offered) throws ProbeException {
        try (TlsProbe probe = TlsProbe.dial(audit.dialer(), address, context)) {
            if (offered != null) {
                probe.resume(offered);
            }
            probe.handshake();
            boolean resumed = probe.ssl().isResumed();
            if (probe.ssl().version().equals(TICKETS_COME_LATER)) {
                awaitTickets(probe, offered == null);
            }
            List<Ticket> tickets = probe.transcript().tickets();
            keyNames.add(tickets);
            SslSession session = probe.session();
            probe.closeOutput();
            return new Visit(resumed, tickets, session);
        }
    }

    /**
     * Waits for tickets: all of the first handshake are counted; of a later one the first suffices, and it may have
     * none.
     */
    private void awaitTickets(TlsProbe probe, boolean all) {
        DoctorLimits limits = audit.options().limits();
        probe.read(
                all ? limits.firstTicket() : limits.quiet(),
                1,
                read -> !probe.transcript().tickets().isEmpty());
        if (all && !probe.transcript().tickets().isEmpty()) {
            probe.read(limits.quiet(), 1, read -> false);
        }
    }

    private static String words(List<Boolean> resumed) {
        return String.join(
                ", ", resumed.stream().map(each -> each ? "resumed" : "full").toList());
    }

    /** The result of one connection; its owner closes it. */
    private record Visit(
            boolean resumed, List<Ticket> tickets, @Nullable SslSession session) implements AutoCloseable {
        @Override
        public void close() {
            if (session != null) {
                session.close();
            }
        }
    }
}
