package dev.sluice.gateway.ocsp;

import dev.sluice.gateway.ocsp.StatusAnswer.Status;
import java.io.IOException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.cert.jcajce.JcaX509CertificateHolder;
import org.bouncycastle.cert.ocsp.BasicOCSPResp;
import org.bouncycastle.cert.ocsp.CertificateID;
import org.bouncycastle.cert.ocsp.OCSPException;
import org.bouncycastle.cert.ocsp.OCSPReqBuilder;
import org.bouncycastle.cert.ocsp.OCSPResp;
import org.bouncycastle.cert.ocsp.RevokedStatus;
import org.bouncycastle.cert.ocsp.SingleResp;
import org.bouncycastle.operator.DigestCalculatorProvider;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaDigestCalculatorProviderBuilder;

/**
 * The question whether one certificate was revoked, and which responses answer it: RFC 6960, as RFC 5019 narrows it.
 * Immutable.
 */
final class StatusQuestion {
    /** The amount by which the responder's clock may be ahead of ours. */
    static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(5);

    /** The lifetime of a response that does not state one. */
    static final Duration UNSAID_LIFE = Duration.ofDays(1);

    private final JcaX509CertificateHolder certificate;
    private final JcaX509CertificateHolder issuer;
    private final DigestCalculatorProvider digests;

    /**
     * Creates a status question.
     *
     * @throws OcspException when nothing can be asked about this certificate
     */
    StatusQuestion(X509Certificate certificate, X509Certificate issuer) throws OcspException {
        try {
            this.certificate = new JcaX509CertificateHolder(certificate);
            this.issuer = new JcaX509CertificateHolder(issuer);
            this.digests = new JcaDigestCalculatorProviderBuilder().build();
        } catch (CertificateEncodingException | OperatorCreationException e) {
            throw new OcspException(OcspFailure.INTERNAL, "no request can be made (" + e.getMessage() + ")", e);
        }
    }

    /**
     * The request in DER. It carries no nonce: most responders give out what they signed before (RFC 5019 section 4).
     */
    byte[] request() throws OcspException {
        try {
            // SHA-1 names the issuer, nothing more, and is what every responder knows (RFC 5019 section 2.1.1).
            CertificateID id =
                    new CertificateID(digests.get(CertificateID.HASH_SHA1), issuer, certificate.getSerialNumber());
            return new OCSPReqBuilder().addRequest(id).build().getEncoded();
        } catch (OCSPException | OperatorCreationException | IOException e) {
            throw new OcspException(OcspFailure.INTERNAL, "no request can be made (" + e.getMessage() + ")", e);
        }
    }

    /**
     * Verifies a response: that it is about this certificate, signed by who may say so, and holds at a moment.
     *
     * @throws OcspException when it does not
     */
    StatusAnswer check(byte[] response, Instant now) throws OcspException {
        try {
            BasicOCSPResp basic = parse(response);
            ResponseSigner.of(basic, issuer).requireValid(now);
            StatusAnswer answer = answer(about(basic));
            requireFresh(answer, now);
            return answer;
            // Bouncy Castle throws what comes to hand when bytes are not what they should be.
        } catch (OCSPException | OperatorCreationException | IOException | RuntimeException e) {
            throw new OcspException(
                    OcspFailure.MALFORMED, "what it answers cannot be read" + " (" + e.getMessage() + ")", e);
        }
    }

    private static BasicOCSPResp parse(byte[] response) throws OcspException, OCSPException, IOException {
        OCSPResp parsed = new OCSPResp(response);
        if (parsed.getStatus() != OCSPResp.SUCCESSFUL) {
            throw new OcspException(OcspFailure.REFUSED, "it answers " + refusal(parsed.getStatus()));
        }
        if (parsed.getResponseObject() instanceof BasicOCSPResp basic) {
            return basic;
        }
        throw new OcspException(OcspFailure.MALFORMED, "it answers in a form that nobody understands");
    }

    private static String refusal(int status) {
        return switch (status) {
            case OCSPResp.MALFORMED_REQUEST -> "that the request is malformed";
            case OCSPResp.INTERNAL_ERROR -> "that it has an internal error";
            case OCSPResp.TRY_LATER -> "to try later";
            case OCSPResp.SIG_REQUIRED -> "that requests must be signed";
            case OCSPResp.UNAUTHORIZED -> "that it may not say anything about this certificate (unauthorized)";
            default -> "with the unknown status " + status;
        };
    }

    private SingleResp about(BasicOCSPResp basic) throws OcspException, OCSPException {
        for (SingleResp single : basic.getResponses()) {
            CertificateID id = single.getCertID();
            if (id.getSerialNumber().equals(certificate.getSerialNumber()) && id.matchesIssuer(issuer, digests)) {
                return single;
            }
        }
        throw new OcspException(OcspFailure.OTHER_CERTIFICATE, "its answer is about another certificate");
    }

    private static StatusAnswer answer(SingleResp single) {
        Instant begin = single.getThisUpdate().toInstant();
        Date nextUpdate = single.getNextUpdate();
        Instant end = nextUpdate == null ? begin.plus(UNSAID_LIFE) : nextUpdate.toInstant();
        return switch (single.getCertStatus()) {
            case null -> new StatusAnswer(Status.GOOD, begin, end, ""); // CertificateStatus.GOOD
            case RevokedStatus revoked -> new StatusAnswer(Status.REVOKED, begin, end, remark(revoked));
            default -> new StatusAnswer(Status.UNKNOWN, begin, end, "");
        };
    }

    private static String remark(RevokedStatus revoked) {
        String since = "since " + revoked.getRevocationTime().toInstant();
        return revoked.hasRevocationReason()
                ? since + ", "
                        + CRLReason.lookup(revoked.getRevocationReason())
                                .toString()
                                .replace("CRLReason: ", "")
                : since;
    }

    private static void requireFresh(StatusAnswer answer, Instant now) throws OcspException {
        if (answer.thisUpdate().isAfter(now.plus(CLOCK_TOLERANCE))) {
            throw new OcspException(
                    OcspFailure.NOT_YET_VALID,
                    "its answer holds only from " + answer.thisUpdate()
                            + " on, which is yet to come; check this machine's clock");
        }
        if (!answer.end().isAfter(now)) {
            throw new OcspException(
                    OcspFailure.OUTDATED, "its answer held until " + answer.end() + " and is out of date");
        }
    }
}
