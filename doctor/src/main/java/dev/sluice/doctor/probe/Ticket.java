package dev.sluice.doctor.probe;

import dev.sluice.doctor.wire.ByteReader;
import dev.sluice.doctor.wire.MalformedException;
import java.util.HexFormat;

/**
 * A received session ticket.
 *
 * @param lifetimeSeconds the lifetime sent by the server; 0 for unspecified (TLS 1.2)
 * @param bytes size of the ticket
 * @param keyName its first 16 bytes in hex, which most servers use for the key name (RFC 5077 section 4)
 * @param maxEarlyData maximum early data; 0 for none
 */
public record Ticket(long lifetimeSeconds, int bytes, String keyName, long maxEarlyData) {
    private static final int KEY_NAME_BYTES = 16;
    private static final int EARLY_DATA = 42;

    /** Parses the body of a NewSessionTicket: RFC 8446 section 4.6.1, or RFC 5077 section 3.3. */
    static Ticket parse(ByteReader body, boolean tls13) throws MalformedException {
        long lifetime = body.u32("ticket_lifetime");
        if (tls13) {
            body.u32("ticket_age_add");
            body.vector8("ticket_nonce");
        }
        byte[] ticket = body.vector16("ticket").rest();
        long early = tls13 ? earlyData(body.vector16("extensions")) : 0;
        int named = Math.min(KEY_NAME_BYTES, ticket.length);
        return new Ticket(lifetime, ticket.length, HexFormat.of().formatHex(ticket, 0, named), early);
    }

    private static long earlyData(ByteReader extensions) throws MalformedException {
        long most = 0;
        while (!extensions.isEmpty()) {
            int type = extensions.u16("extension_type");
            ByteReader content = extensions.vector16("extension_data");
            if (type == EARLY_DATA) {
                most = content.u32("max_early_data_size");
            }
        }
        return most;
    }
}
