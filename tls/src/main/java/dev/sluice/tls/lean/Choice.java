package dev.sluice.tls.lean;

import dev.sluice.tls.record.Aead;
import dev.sluice.tls.record.CipherSuite;
import org.jspecify.annotations.Nullable;

/**
 * A server's choice from a ClientHello, as libssl would make it.
 *
 * @param suite the cipher suite
 * @param group the key-exchange group
 * @param share address of the client's share for it
 * @param identity the certificate, for a full handshake
 * @param scheme the signature scheme of CertificateVerify, for a full handshake
 */
public record Choice(CipherSuite suite, NamedGroup group, long share, LeanIdentity identity, SignatureScheme scheme) {
    /**
     * Chooses.
     *
     * @return null when something is missing, see {@link #obstacle}
     */
    public static @Nullable Choice of(LeanHello hello, LeanContext context) {
        CipherSuite suite = suite(hello, context);
        NamedGroup group = group(hello, context);
        if (suite == null || group == null) {
            return null;
        }
        for (SignatureScheme scheme : SignatureScheme.values()) {
            for (LeanIdentity identity : context.identities()) {
                boolean usable = identity.schemes().contains(scheme)
                        && hello.offersSignature(scheme.id())
                        && hello.acceptsCertificate(identity.issuerScheme());
                if (usable) {
                    return new Choice(suite, group, hello.share(group), identity, scheme);
                }
            }
        }
        return null;
    }

    /** Returns the reason why {@link #of} found no choice. */
    public static FallbackReason obstacle(LeanHello hello, LeanContext context) {
        if (suite(hello, context) == null) {
            return FallbackReason.SUITE;
        }
        return group(hello, context) == null ? FallbackReason.KEY_SHARE : FallbackReason.SIGNATURE;
    }

    /** Our order applies, except for clients that prefer ChaCha20: they lack AES instructions. */
    private static @Nullable CipherSuite suite(LeanHello hello, LeanContext context) {
        int first = hello.firstSuite();
        CipherSuite ours = null;
        for (CipherSuite suite : context.suites()) {
            if (suite.id() == first && suite.aead() == Aead.CHACHA20_POLY1305) {
                return suite;
            }
            if (ours == null && hello.offersSuite(suite.id())) {
                ours = suite;
            }
        }
        return ours;
    }

    /** The first of our groups that the client has sent a share for, so that no round trip is lost. */
    private static @Nullable NamedGroup group(LeanHello hello, LeanContext context) {
        if (!hello.hasConsistentShares()) {
            return null;
        }
        for (NamedGroup group : context.groups()) {
            if (hello.share(group) != 0) {
                return group;
            }
        }
        return null;
    }
}
