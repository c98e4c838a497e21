package dev.sluice.tls.certificate;

import dev.sluice.ffi.openssl.SslCtx;
import dev.sluice.ffi.openssl.X509;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The staples of one context's certificates. */
public final class Staples {
    public static final Staples NONE = new Staples(List.of());

    private final List<Entry> entries;

    /**
     * The slot of one certificate.
     *
     * @param certificate address of the certificate, which the context owns
     */
    private record Entry(long certificate, StapleSlot slot) {}

    private Staples(List<Entry> entries) {
        this.entries = List.copyOf(entries);
    }

    /** Collects the slots of all certificates of a context. */
    public static Staples of(SslCtx context, StapleSource source) {
        List<Entry> entries = new ArrayList<>();
        List<X509> certificates = context.certificates();
        try {
            for (X509 certificate : certificates) {
                StapleSlot slot = source.slot(Fingerprint.text(certificate.sha256()));
                if (slot != null) {
                    entries.add(new Entry(certificate.address(), slot));
                }
            }
            return new Staples(entries);
        } finally {
            certificates.forEach(X509::close);
        }
    }

    public boolean isEmpty() {
        return entries.isEmpty();
    }

    /** Returns the response for a client that was given this certificate, by its address; null for none. */
    public byte @Nullable [] responseFor(long certificate) {
        for (Entry entry : entries) {
            if (entry.certificate() == certificate) {
                return entry.slot().take();
            }
        }
        return null;
    }
}
