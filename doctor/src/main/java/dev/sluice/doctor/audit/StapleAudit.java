package dev.sluice.doctor.audit;

import dev.sluice.doctor.finding.Facts;
import dev.sluice.doctor.finding.FindingKind;
import dev.sluice.doctor.finding.Findings;
import dev.sluice.doctor.probe.HandshakeTranscript;
import dev.sluice.doctor.wire.MalformedException;
import dev.sluice.doctor.wire.OcspResponse;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;

/** An audit of OCSP stapling: its presence and freshness. */
public final class StapleAudit {
    private static final String SECTION = "stapling";
    private static final String TLS_FEATURE = "1.3.6.1.5.5.7.1.24"; // RFC 7633
    private static final String AUTHORITY_INFORMATION_ACCESS = "1.3.6.1.5.5.7.1.1"; // RFC 5280 section 4.2.2.1

    /** id-ad-ocsp, 1.3.6.1.5.5.7.48.1, as DER. */
    private static final String OCSP_METHOD =
            new String(new byte[] {0x06, 0x08, 0x2B, 6, 1, 5, 5, 7, 0x30, 1}, StandardCharsets.ISO_8859_1);

    private final Facts facts;
    private final Findings findings;

    public StapleAudit(Audit audit) {
        this.facts = audit.facts();
        this.findings = audit.findings();
    }

    public void run(X509Certificate leaf, HandshakeTranscript handshake) {
        byte[] staple = handshake.staple();
        boolean demanded = leaf.getExtensionValue(TLS_FEATURE) != null;
        facts.put(SECTION, "stapled", staple != null);
        facts.put(SECTION, "demanded by the certificate", demanded);
        if (staple != null) {
            judge(staple);
        } else if (demanded) {
            findings.add(FindingKind.MUST_STAPLE_MISSING, "TLS 1.3 and 1.2 clients that ask for a status get none");
        } else if (namesResponder(leaf)) {
            findings.add(FindingKind.NO_STAPLE, "the certificate names a responder");
        }
    }

    private static boolean namesResponder(X509Certificate leaf) {
        byte[] access = leaf.getExtensionValue(AUTHORITY_INFORMATION_ACCESS);
        return access != null && new String(access, StandardCharsets.ISO_8859_1).contains(OCSP_METHOD);
    }

    private void judge(byte[] staple) {
        try {
            OcspResponse response = OcspResponse.parse(staple);
            facts.put(SECTION, "status", response.status());
            facts.put(SECTION, "of", String.valueOf(response.thisUpdate()));
            facts.put(SECTION, "until", String.valueOf(response.nextUpdate()));
            Instant until = response.nextUpdate();
            boolean over = until != null && until.isBefore(Instant.now());
            if (over) {
                Duration age = Duration.between(until, Instant.now());
                findings.add(FindingKind.STALE_STAPLE, "held until " + until + ", " + age.toHours() + " hours ago");
            }
            findings.addIf(!response.isGood(), FindingKind.STATUS_UNKNOWN, "it says: " + response.status());
        } catch (MalformedException e) {
            findings.add(FindingKind.STATUS_UNKNOWN, "it cannot be read: " + e.getMessage());
        }
    }
}
