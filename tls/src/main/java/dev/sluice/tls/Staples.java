package dev.sluice.tls;

import dev.sluice.ffi.openssl.SslCtx;
import dev.sluice.ffi.openssl.X509;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is stapled to which certificate of one context. */
final class Staples {
    static final Staples NONE = new Staples(List.of());

    private final List<Entry> entries;

    /** @param certificate address of the certificate, which is the context's own as long as that lives */
    private record Entry(long certificate, StapleSlot slot) {}

    private Staples(List<Entry> entries) {
        this.entries = List.copyOf(entries);
    }

    /** Asks for all certificates that a context presents. */
    static Staples of(SslCtx context, StapleSource source) {
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

    boolean isEmpty() {
        return entries.isEmpty();
    }

    /** The response for a client that this certificate, by its address, was chosen for; null: none. */
    byte @Nullable [] responseFor(long certificate) {
        for (Entry entry : entries) {
            if (entry.certificate() == certificate) {
                return entry.slot().take();
            }
        }
        return null;
    }
}
