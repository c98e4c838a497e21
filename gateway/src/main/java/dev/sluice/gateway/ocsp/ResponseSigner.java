package dev.sluice.gateway.ocsp;

import java.security.cert.CertificateException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import org.bouncycastle.asn1.ocsp.ResponderID;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.cert.CertException;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.ocsp.BasicOCSPResp;
import org.bouncycastle.cert.ocsp.OCSPException;
import org.bouncycastle.cert.ocsp.RespID;
import org.bouncycastle.operator.ContentVerifierProvider;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.operator.jcajce.JcaDigestCalculatorProviderBuilder;

/**
 * The signer of a response: the issuer of the certificate, or a party that the issuer itself has authorized (RFC 6960
 * section 4.2.2.2).
 *
 * @param response what was signed
 * @param certificate the signer's
 * @param issuer the issuer of the certificate that the response is about
 */
record ResponseSigner(BasicOCSPResp response, X509CertificateHolder certificate, X509CertificateHolder issuer) {
    /**
     * Finds the one whom the response names; nothing is verified yet.
     *
     * @throws OcspException when that is neither the issuer nor anybody whose certificate came with the response
     */
    static ResponseSigner of(BasicOCSPResp response, X509CertificateHolder issuer)
            throws OcspException, OCSPException, OperatorCreationException {
        RespID named = response.getResponderId();
        if (names(named, issuer)) {
            return new ResponseSigner(response, issuer, issuer);
        }
        for (X509CertificateHolder sent : response.getCerts()) {
            if (names(named, sent)) {
                return new ResponseSigner(response, sent, issuer);
            }
        }
        throw new OcspException(
                OcspFailure.SIGNATURE, "its answer is signed by somebody whose certificate is not" + " known");
    }

    private static boolean names(RespID named, X509CertificateHolder candidate)
            throws OCSPException, OperatorCreationException {
        ResponderID id = named.toASN1Primitive();
        if (id.getName() != null) {
            return id.getName().equals(candidate.getSubject());
        }
        RespID byKey = new RespID(
                candidate.getSubjectPublicKeyInfo(),
                new JcaDigestCalculatorProviderBuilder().build().get(RespID.HASH_SHA1));
        return Arrays.equals(id.getKeyHash(), byKey.toASN1Primitive().getKeyHash());
    }

    /**
     * Requires a valid signature by a permitted signer.
     *
     * @throws OcspException when the signature is not good, or the signer may not sign
     */
    void requireValid(Instant now) throws OcspException, OCSPException, OperatorCreationException {
        try {
            if (!certificate.equals(issuer)) {
                requireDelegated(now);
            }
            if (!response.isSignatureValid(verifier(certificate))) {
                throw new OcspException(OcspFailure.SIGNATURE, "the signature of its answer does not verify");
            }
        } catch (CertificateException | CertException e) {
            throw new OcspException(
                    OcspFailure.SIGNATURE,
                    "the signature of its answer cannot be verified" + " (" + e.getMessage() + ")",
                    e);
        }
    }

    private void requireDelegated(Instant now)
            throws OcspException, OperatorCreationException, CertificateException, CertException {
        String who = "its answer is signed by " + certificate.getSubject() + ", ";
        boolean isIssued =
                certificate.getIssuer().equals(issuer.getSubject()) && certificate.isSignatureValid(verifier(issuer));
        if (!isIssued) {
            throw new OcspException(
                    OcspFailure.SIGNATURE,
                    who + "whom the certificate's issuer," + " " + issuer.getSubject() + ", does not know");
        }
        ExtendedKeyUsage usage = ExtendedKeyUsage.fromExtensions(certificate.getExtensions());
        if (usage == null || !usage.hasKeyPurposeId(KeyPurposeId.id_kp_OCSPSigning)) {
            throw new OcspException(
                    OcspFailure.SIGNATURE,
                    who + "whom the issuer has not allowed to sign OCSP" + " responses (id-kp-OCSPSigning)");
        }
        if (!certificate.isValidOn(Date.from(now))) {
            throw new OcspException(
                    OcspFailure.SIGNATURE,
                    who + "whose certificate is not valid now (until "
                            + certificate.getNotAfter().toInstant() + ")");
        }
    }

    private static ContentVerifierProvider verifier(X509CertificateHolder of)
            throws OperatorCreationException, CertificateException {
        return new JcaContentVerifierProviderBuilder().build(of);
    }
}
