package dev.sluice.tls.lean;

import dev.sluice.ffi.openssl.EvpCipher;
import dev.sluice.ffi.openssl.EvpCipherCtx;
import dev.sluice.tls.record.HmacContext;
import java.util.function.Function;

/** The contexts of OpenSSL in which a ticket key seals or opens tickets; the key sets cipher and keys each time. */
final class TicketContexts implements AutoCloseable {
    private final EvpCipher cipher;
    private final EvpCipherCtx encryption;
    private final HmacContext mac;

    /** Takes ownership. */
    private TicketContexts(EvpCipher cipher, EvpCipherCtx encryption, HmacContext mac) {
        this.cipher = cipher;
        this.encryption = encryption;
        this.mac = mac;
    }

    /** Creates contexts that seal. */
    static TicketContexts sealing() {
        return make(EvpCipherCtx::sealing);
    }

    /** Creates contexts that open. */
    static TicketContexts opening() {
        return make(EvpCipherCtx::opening);
    }

    private static TicketContexts make(Function<EvpCipher, EvpCipherCtx> maker) {
        HmacContext mac = new HmacContext("SHA256");
        try {
            EvpCipher cipher = EvpCipher.fetch("AES-256-CBC");
            try {
                return new TicketContexts(cipher, maker.apply(cipher), mac);
            } catch (Throwable t) {
                cipher.close();
                throw t;
            }
        } catch (Throwable t) {
            mac.close();
            throw t;
        }
    }

    /** Returns the address of the cipher's context. */
    long encryption() {
        return encryption.address();
    }

    /** Returns the address of the HMAC's context. */
    long mac() {
        return mac.address();
    }

    /** Makes the HMAC's context anew: to be called when a key could not be set. */
    void discardMac() {
        mac.discard();
    }

    @Override
    public void close() {
        encryption.close();
        cipher.close();
        mac.close();
    }
}
