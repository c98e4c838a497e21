package dev.sluice.gateway.ocsp;

import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateHolder;
import org.bouncycastle.cert.ocsp.BasicOCSPRespBuilder;
import org.bouncycastle.cert.ocsp.CertificateID;
import org.bouncycastle.cert.ocsp.CertificateStatus;
import org.bouncycastle.cert.ocsp.OCSPReq;
import org.bouncycastle.cert.ocsp.OCSPResp;
import org.bouncycastle.cert.ocsp.OCSPRespBuilder;
import org.bouncycastle.cert.ocsp.RespID;
import org.bouncycastle.cert.ocsp.RevokedStatus;
import org.bouncycastle.cert.ocsp.UnknownStatus;
import org.bouncycastle.operator.DigestCalculatorProvider;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaDigestCalculatorProviderBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Responses of all kinds, valid and invalid, as of any time. Start with {@link #good} and change what differs.
 */
public record TestAnswers(
        @Nullable CertificateStatus status,
        Credential signer,
        int signersSent,
        boolean namedByKey,
        Instant thisUpdate,
        @Nullable Instant nextUpdate,
        int serialOffset) {
    /** The lifetime of a good answer. */
    public static final Duration LIFE = Duration.ofDays(1);

    private static final Credential ISSUER = TestCertificates.shared().intermediateAuthority();

    /** Good from this moment on, for {@link #LIFE}, signed by the issuer. */
    public static TestAnswers good(Instant from) {
        return new TestAnswers(CertificateStatus.GOOD, ISSUER, 0, false, from, from.plus(LIFE), 0);
    }

    TestAnswers revoked() {
        Date since = Date.from(thisUpdate);
        return new TestAnswers(
                new RevokedStatus(since, 1), signer, signersSent, namedByKey, thisUpdate, nextUpdate, serialOffset);
    }

    TestAnswers unknown() {
        return new TestAnswers(
                new UnknownStatus(), signer, signersSent, namedByKey, thisUpdate, nextUpdate, serialOffset);
    }

    /** Signed by somebody else, whose certificate is sent with it. */
    TestAnswers signedBy(Credential other) {
        return new TestAnswers(status, other, 1, namedByKey, thisUpdate, nextUpdate, serialOffset);
    }

    TestAnswers withoutSigner() {
        return new TestAnswers(status, signer, 0, namedByKey, thisUpdate, nextUpdate, serialOffset);
    }

    TestAnswers namingTheKey() {
        return new TestAnswers(status, signer, signersSent, true, thisUpdate, nextUpdate, serialOffset);
    }

    TestAnswers until(@Nullable Instant end) {
        return new TestAnswers(status, signer, signersSent, namedByKey, thisUpdate, end, serialOffset);
    }

    /** Includes the signer's certificate this many times. */
    public TestAnswers sending(int signers) {
        return new TestAnswers(status, signer, signers, namedByKey, thisUpdate, nextUpdate, serialOffset);
    }

    /** About the certificate with another number. */
    TestAnswers aboutAnother() {
        return new TestAnswers(status, signer, signersSent, namedByKey, thisUpdate, nextUpdate, 1);
    }

    /** The answer to a request. */
    public byte[] to(byte[] request) throws Exception {
        return about(new OCSPReq(request).getRequestList()[0].getCertID());
    }

    /** The answer about a certificate of the issuer. */
    byte[] about(Credential certificate) throws Exception {
        return about(new CertificateID(
                digests().get(CertificateID.HASH_SHA1),
                holder(ISSUER),
                certificate.certificate().getSerialNumber()));
    }

    private byte[] about(CertificateID asked) throws Exception {
        BigInteger serial = asked.getSerialNumber().add(BigInteger.valueOf(serialOffset));
        BasicOCSPRespBuilder builder = new BasicOCSPRespBuilder(name());
        builder.addResponse(
                CertificateID.deriveCertificateID(asked, serial),
                status,
                Date.from(thisUpdate),
                nextUpdate == null ? null : Date.from(nextUpdate));
        X509CertificateHolder[] sent = new X509CertificateHolder[signersSent];
        Arrays.fill(sent, holder(signer));
        return new OCSPRespBuilder()
                .build(
                        OCSPResp.SUCCESSFUL,
                        builder.build(
                                new JcaContentSignerBuilder("SHA256withECDSA").build(signer.key()),
                                signersSent == 0 ? null : sent,
                                Date.from(thisUpdate)))
                .getEncoded();
    }

    private RespID name() throws Exception {
        X509CertificateHolder holder = holder(signer);
        return namedByKey
                ? new RespID(holder.getSubjectPublicKeyInfo(), digests().get(RespID.HASH_SHA1))
                : new RespID(holder.getSubject());
    }

    private static X509CertificateHolder holder(Credential credential) throws Exception {
        return new JcaX509CertificateHolder(credential.certificate());
    }

    private static DigestCalculatorProvider digests() throws Exception {
        return new JcaDigestCalculatorProviderBuilder().build();
    }

    /** An answer without anything in it, such as "try later". */
    static byte[] refusal(int status) throws Exception {
        return new OCSPRespBuilder().build(status, null).getEncoded();
    }
}
