package dev.sluice.doctor.wire;

import dev.sluice.config.certificate.DerReader;
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
        try {
            return read(new DerReader(der).enter(DerReader.SEQUENCE));
        } catch (IllegalArgumentException e) {
            throw new MalformedException("OCSPResponse: " + e.getMessage());
        }
    }

    private static OcspResponse read(DerReader response) throws MalformedException {
        byte[] status = response.enter(DerReader.ENUMERATED).contents();
        if (status.length != 1 || status[0] != SUCCESSFUL) {
            return new OcspResponse("the responder's error " + (status.length == 1 ? status[0] : -1), null, null);
        }
        DerReader bytes = response.enter(EXPLICIT_0).enter(DerReader.SEQUENCE);
        bytes.enter(DerReader.OBJECT_IDENTIFIER); // responseType
        byte[] basic = bytes.enter(DerReader.OCTET_STRING).contents();
        return readData(new DerReader(basic).enter(DerReader.SEQUENCE).enter(DerReader.SEQUENCE));
    }

    /** Reads tbsResponseData. */
    private static OcspResponse readData(DerReader data) throws MalformedException {
        if (data.skip() == EXPLICIT_0) { // version
            data.skip(); // responderID
        }
        data.enter(DerReader.GENERALIZED_TIME); // producedAt
        DerReader single = data.enter(DerReader.SEQUENCE).enter(DerReader.SEQUENCE);
        single.enter(DerReader.SEQUENCE); // certID
        int status = single.skip();
        Instant thisUpdate = time(single);
        boolean ends = single.hasMore() && single.tag() == EXPLICIT_0;
        Instant nextUpdate = ends ? time(single.enter(EXPLICIT_0)) : null;
        String text = status == GOOD ? "good" : status == REVOKED ? "revoked" : "unknown";
        return new OcspResponse(text, thisUpdate, nextUpdate);
    }

    private static Instant time(DerReader in) throws MalformedException {
        String text = new String(in.enter(DerReader.GENERALIZED_TIME).contents(), StandardCharsets.US_ASCII);
        try {
            return LocalDateTime.parse(text, TIME).toInstant(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            throw new MalformedException("no time: " + text);
        }
    }
}
