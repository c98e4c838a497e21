package dev.sluice.tls;

import dev.sluice.ffi.openssl.EvpPkey;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.ffi.openssl.SslCtx;
import dev.sluice.ffi.openssl.X509;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A certificate with its private key and what leads to its root: read, checked, sorted, and held in OpenSSL's memory, never
 * on the Java heap. Several contexts can be made of one, so that files are read once however many event loops there are.
 *
 * <p>Its maker closes it once; contexts that are still to be made of it hold it themselves. May be used from any thread.
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
     * Reads and checks.
     *
     * @return the caller closes it
     * @throws TlsConfigurationException naming value, cause and remedy
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

    private static TlsConfigurationException misfit(IdentitySource source, List<X509> certificates) {
        return new TlsConfigurationException("key does not fit certificate: key " + source.key() + ", certificate "
                + source + " ("
                + (certificates.isEmpty() ? "none" : certificates.getFirst().subject())
                + (certificates.size() > 1 ? " and " + (certificates.size() - 1) + " more" : "")
                + "); none of them was issued for this key: name the key that the certificate was asked for with");
    }

    /** What stands in the files and is of no use, or soon will be, a sentence each. */
    public List<String> warnings() {
        return warnings;
    }

    /** The certificate as PEM text. */
    public byte[] certificatePem() {
        return certificate.toPem();
    }

    /** The certificate and what leads from it to its root, in order and without the root, as PEM text. */
    public byte[] chainPem() {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        text.writeBytes(certificate.toPem());
        intermediates.forEach(each -> text.writeBytes(each.toPem()));
        return text.toByteArray();
    }

    /** The same, and behind it the root that has issued the certificate itself, if it stands in the files. */
    public byte[] issuersPem() {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        text.writeBytes(chainPem());
        if (root != null) {
            text.writeBytes(root.toPem());
        }
        return text.toByteArray();
    }

    /** What it is, for logs. */
    public CertificateSummary summary() {
        return new CertificateSummary(
                source.toString(),
                certificate.subject(),
                certificate.notAfter(),
                Fingerprint.text(certificate.sha256()));
    }

    /**
     * Whether OpenSSL would serve it.
     *
     * @param scratch a server's context of no other use, which holds it until the next one of its kind comes
     * @throws TlsConfigurationException naming value, cause and remedy
     */
    public void requireUsable(SslCtx scratch) {
        useIn(scratch);
    }

    /** Outside of its validity it is refused. */
    void requireValid() {
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

    /** Puts it into a context, which holds it from then on by itself. */
    void useIn(SslCtx context) {
        try {
            context.useCertificate(certificate, key, intermediates);
        } catch (OpenSslException e) {
            throw refused(e);
        }
    }

    /** Puts a copy into a context: event loops that share a key would wait for each other at each signature. */
    synchronized void useCopyIn(SslCtx context) {
        try (X509 ownCertificate = certificate.copy();
                EvpPkey ownKey = key.copy()) {
            context.useCertificate(ownCertificate, ownKey, intermediates);
        } catch (OpenSslException e) {
            throw refused(e);
        }
    }

    private TlsConfigurationException refused(OpenSslException cause) {
        return new TlsConfigurationException(
                "OpenSSL refuses the certificate " + source + " with the key " + source.key() + ": "
                        + cause.getMessage() + "; a key of 2048 bits RSA or P-256 is accepted everywhere",
                cause);
    }

    /** Reads certificates, off the heap, since a key may stand with them; the caller closes them. */
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

    /** The same for one more holder, who closes it too. */
    public Identity held() {
        holders.incrementAndGet();
        return this;
    }

    /** One holder less; the last one frees it. */
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
