package dev.sluice.doctor.wire;

import static dev.sluice.testkit.FuzzProperty.check;

import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import org.bouncycastle.cert.ocsp.BasicOCSPResp;
import org.bouncycastle.cert.ocsp.OCSPException;
import org.bouncycastle.cert.ocsp.OCSPResp;
import org.bouncycastle.cert.ocsp.SingleResp;
import org.jspecify.annotations.Nullable;

/**
 * A fuzzer of the staples that the doctor reads. One is read or refused by a {@link MalformedException}; where Bouncy
 * Castle reads it, too, and finds it to be in DER, both say the same.
 *
 * <p>Input: the staple. The corpus is the gateway's of OCSP responses, from {@code openssl ocsp}.
 */
public final class OcspStatusFuzzer {
    /** Bouncy Castle reads earlier dates by the calendar of their time. */
    private static final Instant GREGORIAN = Instant.parse("1583-01-01T00:00:00Z");

    private OcspStatusFuzzer() {}

    /** Runs one input of Jazzer. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        SingleResp expected = expected(bytes);
        try {
            OcspResponse read = OcspResponse.parse(bytes);
            check(!read.isGood() || read.thisUpdate() != null, "good without a time");
            if (expected != null) {
                check(read.isGood() == (expected.getCertStatus() == null), "another status: " + read);
                Instant thisUpdate = expected.getThisUpdate().toInstant();
                check(
                        thisUpdate.isBefore(GREGORIAN) || thisUpdate.equals(read.thisUpdate()),
                        "another thisUpdate: " + read);
            }
        } catch (MalformedException refused) {
            check(!String.valueOf(refused.getMessage()).isEmpty(), "no reason");
        }
    }

    /** Returns what Bouncy Castle reads; null for nothing, and for other encodings than DER, which it takes. */
    private static @Nullable SingleResp expected(byte[] bytes) {
        try {
            OCSPResp response = new OCSPResp(bytes);
            boolean isDer = Arrays.equals(response.getEncoded(), bytes);
            return isDer
                            && response.getStatus() == OCSPResp.SUCCESSFUL
                            && response.getResponseObject() instanceof BasicOCSPResp basic
                            && basic.getResponses().length > 0
                    ? basic.getResponses()[0]
                    : null;
        } catch (IOException | OCSPException | RuntimeException refused) {
            return null;
        }
    }
}
