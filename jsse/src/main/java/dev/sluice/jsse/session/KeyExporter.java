package dev.sluice.jsse.session;

import javax.net.ssl.SSLKeyException;
import org.jspecify.annotations.Nullable;

/** The source of a connection's exported keying material (RFC 5705, RFC 8446 section 7.5). */
@FunctionalInterface
public interface KeyExporter {
    /**
     * Returns keying material.
     *
     * @param context null for none, which TLS 1.2 distinguishes from an empty one
     * @throws SSLKeyException when the derivation fails
     */
    byte[] export(String label, byte @Nullable [] context, int length) throws SSLKeyException;
}
