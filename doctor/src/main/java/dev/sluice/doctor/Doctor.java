package dev.sluice.doctor;

import dev.sluice.cost.figures.CostException;
import dev.sluice.doctor.audit.Audit;
import dev.sluice.doctor.audit.ChainAudit;
import dev.sluice.doctor.audit.Conversation;
import dev.sluice.doctor.audit.DoctorOptions;
import dev.sluice.doctor.audit.EarlyDataAudit;
import dev.sluice.doctor.audit.GroupAudit;
import dev.sluice.doctor.audit.ResumptionAudit;
import dev.sluice.doctor.audit.ServerCosts;
import dev.sluice.doctor.audit.StapleAudit;
import dev.sluice.doctor.audit.SuiteAudit;
import dev.sluice.doctor.audit.TicketWatch;
import dev.sluice.doctor.audit.TrustAnchors;
import dev.sluice.doctor.audit.VersionAudit;
import dev.sluice.doctor.finding.DoctorReport;
import dev.sluice.doctor.finding.Facts;
import dev.sluice.doctor.finding.Finding;
import dev.sluice.doctor.finding.FindingKind;
import dev.sluice.doctor.finding.Findings;
import dev.sluice.doctor.probe.Contexts;
import dev.sluice.doctor.probe.Dialer;
import dev.sluice.doctor.probe.HandshakeTranscript;
import dev.sluice.doctor.probe.ProbeException;
import dev.sluice.doctor.probe.ProbeException.Kind;
import dev.sluice.doctor.probe.StartTls;
import dev.sluice.doctor.probe.Step;
import dev.sluice.doctor.probe.Target;
import dev.sluice.doctor.probe.TlsProbe;
import dev.sluice.doctor.wire.ClientHello;
import dev.sluice.doctor.wire.ServerAnswer;
import dev.sluice.doctor.wire.Suite;
import dev.sluice.doctor.wire.Version;
import dev.sluice.ffi.openssl.SslCtx;
import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The audit of one TLS endpoint from outside: makes its own connections, a handful per second, and reports its
 * findings. Blocks the calling thread, usually for some ten seconds. Every behaviour of the endpoint is a finding.
 */
public final class Doctor {
    private static final List<String> WEB = List.of("h2", "http/1.1");

    private final Audit audit;
    private final TrustAnchors anchors;

    private Doctor(Audit audit, TrustAnchors anchors) {
        this.audit = audit;
        this.anchors = anchors;
    }

    /**
     * Audits an endpoint.
     *
     * @throws CostException when the authorities cannot be read
     * @throws dev.sluice.ffi.openssl.raw.OpenSslNotFoundException when no OpenSSL is found
     */
    public static DoctorReport audit(Target target, DoctorOptions options) {
        TrustAnchors anchors = TrustAnchors.of(options.authorities());
        try {
            Audit audit = new Audit(Dialer.resolve(target, options.limits()), options);
            new Doctor(audit, anchors).run();
            return new DoctorReport(
                    target.toString(),
                    false,
                    audit.findings().inOrderOfEffect(),
                    audit.facts(),
                    audit.dialer().connections());
        } catch (ProbeException e) {
            Finding unknown = new Finding(FindingKind.UNREACHABLE, e.getMessage());
            return new DoctorReport(target.toString(), false, List.of(unknown), new Facts(), 0);
        }
    }

    private void run() {
        List<InetAddress> addresses = audit.dialer().addresses();
        audit.facts()
                .put(
                        "endpoint",
                        "addresses",
                        addresses.stream().map(InetAddress::getHostAddress).toList());
        ProbeException failure = firstHandshake();
        while (failure != null
                && failure.kind() == Kind.UNREACHABLE
                && audit.dialer().addresses().size() > 1) {
            audit.findings().add(FindingKind.ADDRESS_FAILS, failure.getMessage());
            audit.dialer().dropFirst();
            failure = firstHandshake();
        }
        if (failure != null && cannotGoOn(failure)) {
            return;
        }
        Set<Version> accepted = new VersionAudit(audit).run();
        if (failure != null) {
            tellFailure(failure, accepted);
        }
        List<Suite> suites = new SuiteAudit(audit).run(accepted);
        new GroupAudit(audit).run(accepted);
        keyKinds(accepted, suites);
        if (failure == null) {
            lookInside(accepted);
        }
        List<InetAddress> serving = audit.dialer().addresses();
        otherAddresses(serving.subList(1, serving.size()));
    }

    /** Runs the audits that require complete handshakes. */
    private void lookInside(Set<Version> accepted) {
        audit.attempt(this::time);
        new ResumptionAudit(audit).run(accepted);
        new Conversation(audit).run();
        if (audit.options().earlyData() && accepted.contains(Version.TLS_1_3)) {
            new EarlyDataAudit(audit).run();
        }
        if (!audit.options().watch().isZero()) {
            new TicketWatch(audit).run(audit.options().watch());
        }
    }

    private @Nullable ProbeException firstHandshake() {
        try (SslCtx context = Contexts.anyVersion(WEB);
                TlsProbe probe =
                        TlsProbe.dial(audit.dialer(), audit.dialer().addresses().getFirst(), context)) {
            try {
                probe.handshake();
            } finally {
                audit.findings()
                        .addIf(
                                probe.transcript().certificateRequested(),
                                FindingKind.CLIENT_CERTIFICATE,
                                "a CertificateRequest came");
            }
            describe(probe);
            X509Certificate leaf = new ChainAudit(audit, anchors).run(probe.transcript());
            if (leaf != null) {
                new StapleAudit(audit).run(leaf, probe.transcript());
                costs(probe, ChainAudit.keyOf(leaf));
            }
            alpn(probe.ssl().alpn());
            probe.closeOutput();
            return null;
        } catch (ProbeException e) {
            return e;
        }
    }

    private void describe(TlsProbe probe) {
        Facts facts = audit.facts();
        facts.put("protocol", "usual", probe.ssl().version() + " " + probe.ssl().cipher());
    }

    /** Measures the times of a separate handshake, since the first one loads much of our own code. */
    private void time() throws ProbeException {
        try (SslCtx context = Contexts.anyVersion(WEB);
                TlsProbe probe =
                        TlsProbe.dial(audit.dialer(), audit.dialer().addresses().getFirst(), context)) {
            probe.handshake();
            tell(probe.transcript().timing());
            probe.closeOutput();
        }
    }

    private void tell(HandshakeTranscript.Timing timing) {
        Facts facts = audit.facts();
        facts.put("time, µs", "TCP", timing.tcp());
        facts.put("time, µs", "ServerHello", timing.serverHello());
        facts.put("time, µs", "certificate", timing.certificate());
        facts.put("time, µs", "Finished", timing.finished());
    }

    private void alpn(String chosen) {
        audit.facts().put("protocol", "ALPN", chosen.isEmpty() ? "none" : chosen);
        if (audit.target().startTls() != StartTls.NONE) {
            return; // no browser uses this
        }
        audit.findings().addIf(chosen.isEmpty(), FindingKind.NO_ALPN, "offered " + String.join(", ", WEB));
        audit.findings().addIf(chosen.equals("http/1.1"), FindingKind.NO_H2, "chosen: http/1.1");
    }

    private void costs(TlsProbe probe, String key) {
        boolean tls13 = probe.ssl().version().equals("TLSv1.3");
        ServerCosts costs = audit.options().costs();
        OptionalDouble full = costs.micros(tls13, key, false);
        OptionalDouble resumed = costs.micros(tls13, key, true);
        if (full.isPresent() && resumed.isPresent()) {
            audit.facts().put("server's CPU, estimated", "full handshake", micros(full.getAsDouble()));
            audit.facts().put("server's CPU, estimated", "resumed handshake", micros(resumed.getAsDouble()));
            audit.facts().put("server's CPU, estimated", "source", costs.source());
        }
    }

    private static String micros(double value) {
        return String.format(Locale.ROOT, "%.0f µs", value);
    }

    /** Returns whether the audit must stop; reports the failure then. */
    private boolean cannotGoOn(ProbeException failure) {
        String figure = audit.target() + " " + failure.getMessage();
        switch (failure.kind()) {
            case UNREACHABLE -> audit.findings().add(FindingKind.UNREACHABLE, failure.getMessage());
            case STALLED -> audit.findings().add(FindingKind.STALLED, figure);
            case START_TLS_REFUSED -> audit.findings().add(FindingKind.STARTTLS_REFUSED, figure);
            case NOT_TLS -> audit.findings().add(FindingKind.NOT_TLS, figure + whatElse());
            case CLOSED, ALERT, REFUSED_BY_US -> {
                return false;
            }
        }
        return true;
    }

    /** Returns the start of a non-TLS server's answer. */
    private String whatElse() {
        try {
            ServerAnswer answer = audit.raw()
                    .ask(ClientHello.of(Version.TLS_1_2, audit.target().serverName()));
            return answer instanceof ServerAnswer.NotTls other ? "; its answer " + other.what() : "";
        } catch (ProbeException e) {
            return "";
        }
    }

    private void tellFailure(ProbeException failure, Set<Version> accepted) {
        Findings findings = audit.findings();
        if (accepted.isEmpty() && failure.kind() == Kind.CLOSED && failure.step() == Step.SERVER_HELLO) {
            findings.add(FindingKind.NOT_TLS, audit.target() + " " + failure.getMessage());
        } else if (!findings.has(FindingKind.CLIENT_CERTIFICATE)) {
            findings.add(FindingKind.HANDSHAKE_FAILS, audit.target() + " " + failure.getMessage());
        }
    }

    /** Checks whether clients get ECDSA, RSA or either certificate, by their support. */
    private void keyKinds(Set<Version> accepted, List<Suite> suites) {
        if (accepted.contains(Version.TLS_1_3)) {
            audit.attempt(() -> tellKeyKinds(shakes(ClientHello.ECDSA_SIGNATURES), shakes(ClientHello.RSA_SIGNATURES)));
        } else if (!suites.isEmpty()) {
            boolean ecdsa = suites.stream().anyMatch(suite -> suite.name().contains("_ECDSA_"));
            boolean rsa = suites.stream().anyMatch(suite -> suite.name().contains("_RSA_"));
            tellKeyKinds(ecdsa, rsa);
        }
    }

    private void tellKeyKinds(boolean ecdsa, boolean rsa) {
        String kinds = ecdsa && rsa ? "ECDSA and RSA" : ecdsa ? "ECDSA" : rsa ? "RSA" : "other";
        audit.facts().put("certificate", "kinds of key", kinds);
        ServerCosts costs = audit.options().costs();
        OptionalDouble rsaMicros = costs.micros(true, "RSA 2048", false);
        OptionalDouble ecdsaMicros = costs.micros(true, "EC 256", false);
        String figure = rsaMicros.isPresent() && ecdsaMicros.isPresent()
                ? "a full handshake takes some " + micros(rsaMicros.getAsDouble()) + " instead of "
                        + micros(ecdsaMicros.getAsDouble())
                : "no ECDSA";
        audit.findings().addIf(rsa && !ecdsa, FindingKind.RSA_ONLY, figure);
    }

    private boolean shakes(List<Integer> signatures) throws ProbeException {
        ClientHello hello = ClientHello.of(Version.TLS_1_3, audit.target().serverName())
                .withSignatures(signatures)
                .withShare();
        ServerAnswer answer = audit.raw().ask(hello);
        return answer instanceof ServerAnswer.Chosen;
    }

    /** Checks that every other address serves too. */
    private void otherAddresses(List<InetAddress> others) {
        for (InetAddress address : others) {
            try (SslCtx context = Contexts.anyVersion(WEB);
                    TlsProbe probe = TlsProbe.dial(audit.dialer(), address, context)) {
                probe.handshake();
                probe.closeOutput();
            } catch (ProbeException e) {
                audit.findings().add(FindingKind.ADDRESS_FAILS, address.getHostAddress() + ": " + e.getMessage());
            }
        }
    }
}
