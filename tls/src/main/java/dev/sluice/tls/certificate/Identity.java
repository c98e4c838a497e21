package dev.sluice.tls.certificate;

import dev.sluice.ffi.openssl.EvpPkey;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.ffi.openssl.SslCtx;
import dev.sluice.ffi.openssl.X509;
import dev.sluice.tls.failure.TlsConfigurationException;
import dev.sluice.tls.lean.LeanIdentity;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A certificate with its private key and chain: read, checked, sorted, and held in OpenSSL's memory, never on the Java
 * heap. Several contexts can share one, so that files are read once for all event loops.
 *
 * <p>The creator closes it once; contexts built from it co-own its contents. May be used from any thread.
 */
public final class Identity implements AutoCloseable {
    private final IdentitySource source;
    private final X509 certificate;
    private final EvpPkey key;
    private final List<X509> intermediates;
    private final @Nullable X509 root;
    private final List<String> warnings;
    private final AtomicInteger holders = new AtomicInteger(1);

    private Identity(IdentitySource source, EvpPkey key, X509 certificate, CertificateChain chain) {
        this.source = source;
        this.key = key;
        this.certificate = certificate;
        this.intermediates = List.copyOf(chain.intermediates());
        this.root = chain.root();
        this.warnings = List.copyOf(chain.warnings());
    }

    /**
     * Loads and checks an identity.
     *
     * @return the caller closes it
     * @throws TlsConfigurationException with value, cause and remedy
     */
    public static Identity load(IdentitySource source) {
        KeyMaterial found = source.open();
        CertificateChain chain = CertificateChain.sorted(source.toString(), found.certificates(), found.key());
        X509 leaf = chain.leaf();
        if (leaf == null) {
            TlsConfigurationException misfit = misfit(source, found.certificates());
            found.close();
            throw misfit;
        }
        return new Identity(source, found.key(), leaf, chain);
    }

    /**
     * Creates an identity from a key and a self-signed certificate for it.
     *
     * @param name the name in messages
     * @param certificate owned from now on, also when this throws
     * @param key owned from now on, also when this throws
     * @return the caller closes it
     */
    public static Identity selfSigned(String name, X509 certificate, EvpPkey key) {
        try {
            PemSource source = PemSource.bytes(name, new byte[0]);
            CertificateChain chain = CertificateChain.sorted(name, List.of(certificate), key);
            return new Identity(IdentitySource.pem(source, source), key, certificate, chain);
        } catch (Throwable e) {
            certificate.close();
            key.close();
            throw e;
        }
    }

    private static TlsConfigurationException misfit(IdentitySource source, List<X509> certificates) {
        return new TlsConfigurationException("key does not fit certificate: key " + source.key() + ", certificate "
                + source + " ("
                + (certificates.isEmpty() ? "none" : certificates.getFirst().subject())
                + (certificates.size() > 1 ? " and " + (certificates.size() - 1) + " more" : "")
                + "); none of them was issued for this key; use the key of the certificate request");
    }

    /** Returns the warnings about useless or soon expiring content of the files, a sentence each. */
    public List<String> warnings() {
        return warnings;
    }

    /** Returns the certificate as PEM text. */
    public byte[] certificatePem() {
        return certificate.toPem();
    }

    /** Returns the certificate and its chain as PEM text, in order and without the root. */
    public byte[] chainPem() {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        text.writeBytes(certificate.toPem());
        intermediates.forEach(each -> text.writeBytes(each.toPem()));
        return text.toByteArray();
    }

    /**
     * Returns the certificate and its chain as PEM text, followed by the root if the root issued the certificate itself
     * and is in the files.
     */
    public byte[] issuersPem() {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        text.writeBytes(chainPem());
        if (root != null) {
            text.writeBytes(root.toPem());
        }
        return text.toByteArray();
    }

    /** Returns the summary for logs. */
    public CertificateSummary summary() {
        return new CertificateSummary(
                source.toString(),
                certificate.subject(),
                certificate.notAfter(),
                Fingerprint.text(certificate.sha256()));
    }

    /**
     * Checks that OpenSSL accepts the identity.
     *
     * @param scratch a server context for this check only, which keeps the identity until the next one of its key type
     * @throws TlsConfigurationException with value, cause and remedy
     */
    public void requireUsable(SslCtx scratch) {
        useIn(scratch);
    }

    /** Checks the validity period. */
    public void requireValid() {
        if (certificate.isExpired()) {
            throw new TlsConfigurationException("certificate has expired: " + source + " (" + certificate.subject()
                    + ") was valid until " + certificate.notAfter() + "; renew it");
        }
        if (certificate.isNotYetValid()) {
            throw new TlsConfigurationException("certificate is not valid yet: " + source + " ("
                    + certificate.subject() + ") is valid from " + certificate.notBefore()
                    + "; wait, or check this machine's clock");
        }
    }

    /** Adds the identity to a context, which co-owns it from then on. */
    public void useIn(SslCtx context) {
        try {
            context.useCertificate(certificate, key, intermediates);
        } catch (OpenSslException e) {
            throw refused(e);
        }
    }

    /** Adds a copy to a context: event loops that share a key contend for its lock at each signature. */
    public synchronized void useCopyIn(SslCtx context) {
        try (X509 ownCertificate = certificate.copy();
                EvpPkey ownKey = key.copy()) {
            context.useCertificate(ownCertificate, ownKey, intermediates);
        } catch (OpenSslException e) {
            throw refused(e);
        }
    }

    /** Returns the identity as the lean handshake sends it, with the key that a context was just given. */
    public LeanIdentity leanIn(SslCtx context) {
        X509 given = context.currentCertificate();
        EvpPkey givenKey = null;
        try {
            givenKey = context.currentKey();
            return new LeanIdentity(given, givenKey, intermediates);
        } catch (Throwable e) {
            given.close();
            if (givenKey != null) {
                givenKey.close();
            }
            throw e;
        }
    }

    private TlsConfigurationException refused(OpenSslException cause) {
        return new TlsConfigurationException(
                "OpenSSL refuses the certificate " + source + " with the key " + source.key() + ": "
                        + cause.getMessage() + "; a key of 2048 bits RSA or P-256 is widely accepted",
                cause);
    }

    /** Reads certificates into native memory, since the file may hold a key too; the caller closes them. */
    public static List<X509> certificates(PemSource source, String what) {
        try (SecretBytes pem = source.read(what)) {
            return X509.allFromPem(pem.bytes());
        } catch (OpenSslException e) {
            throw new TlsConfigurationException(
                    what + " not usable: " + source + " holds no certificate that OpenSSL can read (" + e.getMessage()
                            + "); it must begin with -----BEGIN CERTIFICATE----- and be complete",
                    e);
        }
    }

    /** Returns another reference, which the caller closes. */
    public Identity held() {
        holders.incrementAndGet();
        return this;
    }

    /** Releases one reference; the last one frees the contents. */
    @Override
    public void close() {
        if (holders.decrementAndGet() == 0) {
            certificate.close();
            key.close();
            intermediates.forEach(X509::close);
            if (root != null) {
                root.close();
            }
        }
    }

    @Override
    public String toString() {
        return source.toString();
    }
}
