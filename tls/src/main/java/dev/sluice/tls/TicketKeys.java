package dev.sluice.tls;

import dev.sluice.ffi.openssl.SslCtx;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * The keys that session tickets are sealed with. Contexts that share them resume each other's sessions, as those of the
 * loops of one listener must. Secret: whoever has them reads recorded TLS 1.2 traffic.
 */
public final class TicketKeys implements AutoCloseable {
    private final byte[] keys;

    private TicketKeys(byte[] keys) {
        this.keys = keys;
    }

    /** Makes new keys. */
    public static TicketKeys random() {
        byte[] keys = new byte[SslCtx.TICKET_KEY_BYTES];
        new SecureRandom().nextBytes(keys);
        return new TicketKeys(keys);
    }

    void applyTo(SslCtx context) {
        context.ticketKeys(keys);
    }

    /** Wipes our copy; contexts keep theirs. */
    @Override
    public void close() {
        Arrays.fill(keys, (byte) 0);
    }
}
