package dev.sluice.tls;

import org.jspecify.annotations.Nullable;

/** Tells which certificates of a context are to have OCSP responses stapled to them. */
@FunctionalInterface
public interface StapleSource {
    /**
     * Asked once for each certificate when a context is built, on the thread that builds it.
     *
     * @param sha256 the certificate's fingerprint: 64 hexadecimal digits in pairs with colons
     * @return where its responses will be, the same slot for all contexts with this certificate; null: nothing is stapled
     */
    @Nullable
    StapleSlot slot(String sha256);
}
