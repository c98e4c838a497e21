package dev.sluice.doctor.audit;

import dev.sluice.doctor.finding.Facts;
import dev.sluice.doctor.finding.FindingKind;
import dev.sluice.doctor.finding.Findings;
import dev.sluice.doctor.probe.HandshakeTranscript;
import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An audit of the certificates sent by a server: their names, their path and their cost. */
public final class ChainAudit {
    private static final String SECTION = "certificate";

    /** ACME renews 30 days before the end of 90; for shorter lifetimes at the last quarter. */
    private static final Duration SOON = Duration.ofDays(14);

    private static final int SHORT_LIFE_PART = 4;

    /** RFC 6928: ten segments, usually of 1,460 bytes. */
    private static final int INITIAL_WINDOW_BYTES = 14_600;

    private static final int LARGE_BYTES = 6_000;
    private static final int LEAST_RSA_BITS = 2_048;
    private static final int LEAST_CURVE_BITS = 224;

    private final Audit audit;
    private final TrustAnchors anchors;
    private final Findings findings;
    private final Facts facts;

    public ChainAudit(Audit audit, TrustAnchors anchors) {
        this.audit = audit;
        this.anchors = anchors;
        this.findings = audit.findings();
        this.facts = audit.facts();
    }

    /**
     * Audits the certificates of a full handshake.
     *
     * @return the server's certificate; null if it cannot be read
     */
    public @Nullable X509Certificate run(HandshakeTranscript handshake) {
        List<X509Certificate> sent = parse(handshake.certificates());
        if (sent.isEmpty()) {
            return null;
        }
        X509Certificate leaf = sent.getFirst();
        describe(leaf, sent, handshake);
        judgeTime(leaf);
        judgeName(leaf);
        judgeKeys(sent);
        judgePath(sent);
        judgeSize(handshake);
        return leaf;
    }

    private List<X509Certificate> parse(List<byte[]> encoded) {
        List<X509Certificate> certificates = new ArrayList<>();
        for (byte[] each : encoded) {
            try {
                certificates.add((X509Certificate)
                        CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(each)));
            } catch (CertificateException e) {
                findings.add(
                        FindingKind.CERTIFICATE_UNREADABLE,
                        "number " + (certificates.size() + 1) + " of " + encoded.size() + ": " + e.getMessage());
                return List.of();
            }
        }
        return certificates;
    }

    private void describe(X509Certificate leaf, List<X509Certificate> sent, HandshakeTranscript handshake) {
        facts.put(SECTION, "subject", leaf.getSubjectX500Principal().getName());
        facts.put(SECTION, "issuer", leaf.getIssuerX500Principal().getName());
        facts.put(SECTION, "names", NameMatch.namesOf(leaf));
        facts.put(SECTION, "key", keyOf(leaf));
        facts.put(SECTION, "signature", leaf.getSigAlgName());
        facts.put(SECTION, "valid until", leaf.getNotAfter().toInstant().toString());
        facts.put(SECTION, "chain length", sent.size());
        facts.put(SECTION, "chain bytes", handshake.certificateBytes());
        facts.put(SECTION, "server's flight bytes", handshake.flightBytes());
    }

    /** Returns the key's description, such as {@code EC 256}, {@code RSA 2048} or {@code EdDSA}. */
    public static String keyOf(X509Certificate certificate) {
        return switch (certificate.getPublicKey()) {
            case RSAPublicKey rsa -> "RSA " + rsa.getModulus().bitLength();
            case ECPublicKey ec -> "EC " + ec.getParams().getOrder().bitLength();
            default -> certificate.getPublicKey().getAlgorithm();
        };
    }

    private void judgeTime(X509Certificate leaf) {
        Instant now = Instant.now();
        Instant from = leaf.getNotBefore().toInstant();
        Instant until = leaf.getNotAfter().toInstant();
        Duration left = Duration.between(now, until);
        Duration quarter = Duration.between(from, until).dividedBy(SHORT_LIFE_PART);
        if (left.isNegative()) {
            findings.add(FindingKind.EXPIRED, "on " + until + ", " + -left.toDays() + " days ago");
        } else if (now.isBefore(from)) {
            findings.add(FindingKind.NOT_YET_VALID, "before " + from);
        } else if (left.compareTo(SOON) < 0 && left.compareTo(quarter) < 0) {
            findings.add(FindingKind.EXPIRES_SOON, "on " + until + ", in " + left.toDays() + " days");
        }
    }

    private void judgeName(X509Certificate leaf) {
        List<String> names = NameMatch.namesOf(leaf);
        String wanted = audit.target().expectedName();
        boolean right = NameMatch.matches(names, wanted);
        facts.put(SECTION, "name matches", right);
        findings.addIf(
                !right,
                FindingKind.NAME_MISMATCH,
                "requested " + wanted + ", issued for " + (names.isEmpty() ? "no name" : String.join(", ", names)));
    }

    private void judgeKeys(List<X509Certificate> sent) {
        for (X509Certificate each : sent) {
            boolean root = each.getSubjectX500Principal().equals(each.getIssuerX500Principal());
            String signature = each.getSigAlgName().toUpperCase(Locale.ROOT);
            boolean broken = signature.startsWith("SHA1") || signature.startsWith("MD");
            findings.addIf(
                    broken && !root,
                    FindingKind.WEAK_SIGNATURE,
                    each.getSigAlgName() + " in "
                            + each.getSubjectX500Principal().getName());
            String key = keyOf(each);
            boolean weak = switch (each.getPublicKey()) {
                case RSAPublicKey rsa -> rsa.getModulus().bitLength() < LEAST_RSA_BITS;
                case ECPublicKey ec -> ec.getParams().getOrder().bitLength() < LEAST_CURVE_BITS;
                default -> false;
            };
            findings.addIf(
                    weak,
                    FindingKind.WEAK_KEY,
                    key + " in " + each.getSubjectX500Principal().getName());
        }
        if (sent.getFirst().getPublicKey() instanceof RSAPublicKey rsa
                && rsa.getModulus().bitLength() > LEAST_RSA_BITS) {
            findings.add(FindingKind.LONG_KEY, keyOf(sent.getFirst()));
        }
    }

    /** Follows the issuers from the server's certificate to a trust anchor. */
    private void judgePath(List<X509Certificate> sent) {
        List<X509Certificate> path = new ArrayList<>();
        List<X509Certificate> left = new ArrayList<>(sent);
        X509Certificate at = left.removeFirst();
        path.add(at);
        X509Certificate anchor = anchors.contains(at) ? at : anchors.issuerOf(at);
        while (anchor == null) {
            X509Certificate issuer = issuerAmong(left, at);
            if (issuer == null) {
                break;
            }
            left.remove(issuer);
            path.add(issuer);
            at = issuer;
            anchor = anchors.contains(at) ? at : anchors.issuerOf(at);
        }
        judgeEnd(at, anchor, path.size());
        judgeOrder(sent, path, anchor);
        judgeRest(left);
        if (anchor != null) {
            validate(path, anchor);
        }
        facts.put(SECTION, "trusted", anchor != null);
        facts.put(SECTION, "authorities", anchors.source());
    }

    private static @Nullable X509Certificate issuerAmong(List<X509Certificate> left, X509Certificate of) {
        return left.stream()
                .filter(each -> TrustAnchors.hasSigned(each, of))
                .findFirst()
                .orElse(null);
    }

    private void judgeEnd(X509Certificate last, @Nullable X509Certificate anchor, int length) {
        String name = last.getSubjectX500Principal().getName();
        if (anchor != null) {
            boolean root = last.equals(anchor) && length > 1;
            findings.addIf(root, FindingKind.ROOT_SENT, name + ", " + bytes(last) + " bytes");
        } else if (!TrustAnchors.hasSigned(last, last)) {
            String missing = last.getIssuerX500Principal().getName();
            findings.add(FindingKind.CHAIN_INCOMPLETE, "missing, and not among " + anchors.source() + ": " + missing);
        } else if (length == 1) {
            findings.add(FindingKind.SELF_SIGNED, name);
        } else {
            findings.add(FindingKind.UNTRUSTED_ROOT, name + ", which is not among " + anchors.source());
        }
    }

    /**
     * Checks the order: TLS 1.2 requires that each certificate certifies the one before it. Certificates on no path are
     * reported separately.
     */
    private void judgeOrder(List<X509Certificate> sent, List<X509Certificate> path, @Nullable X509Certificate anchor) {
        List<X509Certificate> right = new ArrayList<>(path);
        if (anchor != null && !path.contains(anchor) && sent.contains(anchor)) {
            right.add(anchor);
        }
        List<X509Certificate> inPath =
                sent.stream().filter(right::contains).distinct().toList();
        findings.addIf(!inPath.equals(right), FindingKind.CHAIN_ORDER, names(sent));
    }

    private static String names(List<X509Certificate> certificates) {
        return String.join(
                ", then ",
                certificates.stream()
                        .map(each -> each.getSubjectX500Principal().getName())
                        .toList());
    }

    private void judgeRest(List<X509Certificate> left) {
        List<X509Certificate> extra =
                left.stream().filter(each -> !anchors.contains(each)).toList();
        left.stream()
                .filter(anchors::contains)
                .forEach(root -> findings.add(
                        FindingKind.ROOT_SENT,
                        root.getSubjectX500Principal().getName() + ", " + bytes(root) + " bytes"));
        if (!extra.isEmpty()) {
            findings.add(
                    FindingKind.CHAIN_EXTRA,
                    extra.size() + ", "
                            + extra.stream().mapToInt(ChainAudit::bytes).sum() + " bytes: "
                            + extra.getFirst().getSubjectX500Principal().getName());
        }
    }

    /**
     * Validates the path by the other rules of X.509: authority, usage, length. Validity periods are checked elsewhere.
     */
    private void validate(List<X509Certificate> path, X509Certificate anchor) {
        List<X509Certificate> below =
                path.stream().filter(each -> !each.equals(anchor)).toList();
        if (below.isEmpty() || findings.has(FindingKind.WEAK_KEY) || findings.has(FindingKind.WEAK_SIGNATURE)) {
            return;
        }
        try {
            PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(anchor, null)));
            parameters.setRevocationEnabled(false);
            parameters.setDate(Date.from(momentOfValidity(below.getFirst())));
            CertPathValidator.getInstance("PKIX")
                    .validate(CertificateFactory.getInstance("X.509").generateCertPath(below), parameters);
        } catch (GeneralSecurityException e) {
            findings.add(FindingKind.CHAIN_INVALID, String.valueOf(e.getMessage()));
        }
    }

    private static Instant momentOfValidity(X509Certificate leaf) {
        Instant now = Instant.now();
        Instant from = leaf.getNotBefore().toInstant();
        Instant until = leaf.getNotAfter().toInstant();
        return now.isAfter(until) ? until : now.isBefore(from) ? from : now;
    }

    private void judgeSize(HandshakeTranscript handshake) {
        int flight = handshake.flightBytes();
        if (flight > INITIAL_WINDOW_BYTES) {
            findings.add(
                    FindingKind.CHAIN_HUGE,
                    flight + " bytes, of which certificates " + handshake.certificateBytes() + "; the window has "
                            + INITIAL_WINDOW_BYTES);
        } else if (handshake.certificateBytes() > LARGE_BYTES) {
            findings.add(FindingKind.CHAIN_LARGE, handshake.certificateBytes() + " bytes");
        }
    }

    private static int bytes(X509Certificate certificate) {
        try {
            return certificate.getEncoded().length;
        } catch (CertificateException e) {
            return 0;
        }
    }
}
