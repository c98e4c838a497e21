package dev.sluice.doctor.audit;

import dev.sluice.doctor.finding.FindingKind;
import dev.sluice.doctor.finding.Findings;
import dev.sluice.doctor.probe.ProbeException;
import dev.sluice.doctor.wire.ClientHello;
import dev.sluice.doctor.wire.ServerAnswer;
import dev.sluice.doctor.wire.ServerHello;
import dev.sluice.doctor.wire.Version;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** An audit of the accepted versions: each is offered alone. */
public final class VersionAudit {
    private final Audit audit;
    private final Set<Version> accepted = EnumSet.noneOf(Version.class);

    public VersionAudit(Audit audit) {
        this.audit = audit;
    }

    /** Offers each version. */
    public Set<Version> run() {
        for (Version version : Version.values()) {
            audit.attempt(() -> ask(version));
        }
        judge();
        List<String> names = new ArrayList<>();
        accepted.forEach(version -> names.add(version.text()));
        audit.facts().put("protocol", "versions", names);
        return accepted;
    }

    private void ask(Version version) throws ProbeException {
        ServerAnswer answer =
                audit.raw().ask(ClientHello.of(version, audit.target().serverName()));
        if (answer instanceof ServerAnswer.Chosen chosen && chosen.hello().version() == version.number()) {
            accepted.add(version);
            if (version == Version.TLS_1_2) {
                judge(chosen.hello());
            }
        }
    }

    private void judge(ServerHello hello) {
        Findings findings = audit.findings();
        findings.addIf(hello.compression() != 0, FindingKind.COMPRESSION, "method " + hello.compression());
        findings.addIf(
                !hello.extensions().contains(ServerHello.EXTENDED_MASTER_SECRET),
                FindingKind.NO_EXTENDED_MASTER_SECRET,
                "TLS 1.2 without extended_master_secret");
        findings.addIf(
                !hello.extensions().contains(ServerHello.RENEGOTIATION_INFO),
                FindingKind.INSECURE_RENEGOTIATION,
                "TLS 1.2 without renegotiation_info");
    }

    private void judge() {
        Findings findings = audit.findings();
        if (accepted.isEmpty()) {
            return;
        }
        findings.addIf(accepted.contains(Version.SSL_3), FindingKind.BROKEN_VERSION, "SSL 3.0");
        List<String> old = accepted.stream()
                .filter(version -> version == Version.TLS_1_0 || version == Version.TLS_1_1)
                .map(Version::text)
                .toList();
        findings.addIf(!old.isEmpty(), FindingKind.OLD_VERSIONS, String.join(" and ", old));
        findings.addIf(!accepted.contains(Version.TLS_1_3), FindingKind.NO_TLS13, "the newest is " + newest().text());
        findings.addIf(
                !accepted.contains(Version.TLS_1_2) && accepted.contains(Version.TLS_1_3),
                FindingKind.NO_TLS12,
                "TLS 1.3 only");
    }

    private Version newest() {
        Version newest = Version.SSL_3;
        for (Version version : accepted) {
            newest = version;
        }
        return newest;
    }
}
