package dev.sluice.tls.certificate;

import org.jspecify.annotations.Nullable;

/** A lookup of the staples of a context's certificates. */
@FunctionalInterface
public interface StapleSource {
    /**
     * Returns the slot of a certificate; called once per certificate on the thread that builds a context.
     *
     * @param sha256 the certificate's fingerprint: 64 hexadecimal digits in pairs with colons
     * @return the slot, the same for all contexts with this certificate; null for no stapling
     */
    @Nullable
    StapleSlot slot(String sha256);
}
