package dev.sluice.jsse.context;

import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A chain of certificates that is presented in a handshake.
 *
 * @param chain the certificate, then its intermediates
 * @param key its private key if that signs in its provider; null for one in native memory
 */
public record PresentedChain(
        List<X509Certificate> chain, @Nullable DelegatedPrivateKey key) {}
