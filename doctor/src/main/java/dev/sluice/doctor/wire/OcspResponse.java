package dev.sluice.doctor.wire;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The status of the first certificate in an OCSP response (RFC 6960 section 4.2.1). Its signature is not verified: this
 * is about freshness, not authenticity.
 *
 * @param status good, revoked, unknown, or the reason for no answer
 * @param thisUpdate time of the status; null without an answer
 * @param nextUpdate end of its validity; null if unspecified
 */
public record OcspResponse(
        String status,
        @Nullable Instant thisUpdate,
        @Nullable Instant nextUpdate) {
    private static final int ENUMERATED = 0x0A;
    private static final int OBJECT_IDENTIFIER = 0x06;
    private static final int OCTET_STRING = 0x04;
    private static final int EXPLICIT_0 = 0xA0;
    private static final int GOOD = 0x80;
    private static final int REVOKED = 0xA1;
    private static final int SUCCESSFUL = 0;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuuMMddHHmmss'Z'", Locale.ROOT);

    /** Returns whether the status is good. */
    public boolean isGood() {
        return status.equals("good");
    }

    /** Parses a response. */
    public static OcspResponse parse(byte[] der) throws MalformedException {
        DerReader response = new DerReader(new ByteReader(der)).expect(DerReader.SEQUENCE, "OCSPResponse");
        byte[] status = response.expect(ENUMERATED, "responseStatus").rest();
        if (status.length != 1 || status[0] != SUCCESSFUL) {
            return new OcspResponse("the responder's error " + (status.length == 1 ? status[0] : -1), null, null);
        }
        DerReader bytes = response.expect(EXPLICIT_0, "responseBytes").expect(DerReader.SEQUENCE, "ResponseBytes");
        bytes.expect(OBJECT_IDENTIFIER, "responseType");
        byte[] basic = bytes.expect(OCTET_STRING, "response").rest();
        return parseData(new DerReader(new ByteReader(basic))
                .expect(DerReader.SEQUENCE, "BasicOCSPResponse")
                .expect(DerReader.SEQUENCE, "tbsResponseData"));
    }

    private static OcspResponse parseData(DerReader data) throws MalformedException {
        DerReader.Value first = data.next("responderID");
        if (first.tag() == EXPLICIT_0) {
            data.next("responderID"); // the first was the version
        }
        data.expect(DerReader.GENERALIZED_TIME, "producedAt");
        DerReader single = data.expect(DerReader.SEQUENCE, "responses").expect(DerReader.SEQUENCE, "SingleResponse");
        single.expect(DerReader.SEQUENCE, "certID");
        int status = single.next("certStatus").tag();
        Instant thisUpdate = time(single.expect(DerReader.GENERALIZED_TIME, "thisUpdate"));
        Instant nextUpdate = null;
        if (!single.isEmpty()) {
            DerReader.Value next = single.next("nextUpdate");
            if (next.tag() == EXPLICIT_0) {
                nextUpdate = time(new DerReader(next.content()).expect(DerReader.GENERALIZED_TIME, "nextUpdate"));
            }
        }
        String text = status == GOOD ? "good" : status == REVOKED ? "revoked" : "unknown";
        return new OcspResponse(text, thisUpdate, nextUpdate);
    }

    private static Instant time(DerReader value) throws MalformedException {
        String text = new String(value.rest(), StandardCharsets.US_ASCII);
        try {
            return LocalDateTime.parse(text, TIME).toInstant(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            throw new MalformedException("no time: " + text);
        }
    }
}
