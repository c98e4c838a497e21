package dev.sluice.gateway;

import dev.sluice.gateway.config.CertificateConfig;
import dev.sluice.gateway.config.CertificateFiles;
import dev.sluice.gateway.config.GatewayConfig;
import dev.sluice.gateway.config.KeyPairFiles;
import dev.sluice.gateway.config.ListenerConfig;
import dev.sluice.tls.Identity;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Certificates with their keys, loaded once for all loops. Contexts hold what they are made of themselves, so that this is
 * closed when they are made. Confined to one thread.
 */
final class LoadedCertificates implements AutoCloseable {
    private final Map<CertificateFiles, Identity> identities = new HashMap<>();

    /** None yet. */
    LoadedCertificates() {}

    /**
     * Those that the listeners of a configuration serve.
     *
     * @param before some that may be among them, and need not be read again
     * @return the caller closes it
     * @throws dev.sluice.tls.TlsConfigurationException naming value, cause and remedy
     */
    static LoadedCertificates of(GatewayConfig config, LoadedCertificates before) {
        LoadedCertificates loaded = new LoadedCertificates();
        try {
            for (ListenerConfig listener : config.listeners()) {
                listener.certificates().forEach(certificate -> loaded.load(certificate, before));
            }
            return loaded;
        } catch (RuntimeException e) {
            loaded.close();
            throw e;
        }
    }

    private void load(CertificateConfig certificate, LoadedCertificates before) {
        for (KeyPairFiles pair : certificate.keyPairs()) {
            identities.computeIfAbsent(pair.files(), files -> {
                Identity known = before.identities.get(files);
                return known == null ? Identity.load(IdentitySources.of(files)) : known.held();
            });
        }
    }

    /** One more, which stays its owner's too. */
    void add(CertificateFiles files, Identity identity) {
        Identity other = identities.put(files, identity.held());
        if (other != null) {
            other.close();
        }
    }

    /**
     * A certificate and what leads from it to its root, in order, as PEM text; behind it what else stands in its file, a root
     * perhaps, unless its key does.
     */
    byte[] chainAndIssuers(CertificateFiles files) throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        text.writeBytes(of(files).chainPem());
        if (!files.chain().equals(files.key())) {
            text.writeBytes(Files.readAllBytes(files.chain()));
        }
        return text.toByteArray();
    }

    /** A certificate, if it is among them; null: it is not. */
    @Nullable
    Identity find(CertificateFiles files) {
        return identities.get(files);
    }

    /** A certificate of the configuration. */
    Identity of(CertificateFiles files) {
        return Objects.requireNonNull(identities.get(files));
    }

    @Override
    public void close() {
        identities.values().forEach(Identity::close);
        identities.clear();
    }
}
