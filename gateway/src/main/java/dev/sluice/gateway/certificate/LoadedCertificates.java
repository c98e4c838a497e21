package dev.sluice.gateway.certificate;

import dev.sluice.config.certificate.CertificateFiles;
import dev.sluice.config.certificate.KeyPairFiles;
import dev.sluice.config.model.CertificateConfig;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.ListenerConfig;
import dev.sluice.tls.certificate.Identity;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Certificates with their keys, loaded once for all loops. Contexts hold what they are made of themselves, so that this
 * is closed when they are made. Confined to one thread.
 */
public final class LoadedCertificates implements AutoCloseable {
    private final Map<CertificateFiles, Identity> identities = new LinkedHashMap<>();
    private final Map<Path, CertificateFiles> byChain = new HashMap<>();
    /** The certificates whose files have changed to something that cannot be served. */
    private final Set<CertificateFiles> outdated = new HashSet<>();

    /** None yet. */
    public LoadedCertificates() {}

    /**
     * Those that the listeners of a configuration serve.
     *
     * @param before some that may be among them, and need not be read again
     * @return the caller closes it
     * @throws dev.sluice.tls.failure.TlsConfigurationException naming value, cause and remedy
     */
    public static LoadedCertificates of(GatewayConfig config, LoadedCertificates before) {
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
        byChain.put(files.chain(), files);
        Identity other = identities.put(files, identity.held());
        if (other != null) {
            other.close();
        }
    }

    /** One more, from before its files became unusable; it stays its owner's too. */
    void addOutdated(CertificateFiles files, Identity identity) {
        add(files, identity);
        outdated.add(files);
    }

    /** A certificate that its files still hold, if it is among them; null: it is not. */
    @Nullable
    Identity find(CertificateFiles files) {
        return outdated.contains(files) ? null : identities.get(files);
    }

    /**
     * Returns the identity that was loaded from a certificate file, whatever the file holds now, and wherever its key
     * was; null when there is none.
     */
    @Nullable
    Identity findOutdated(CertificateFiles files) {
        Identity same = identities.get(files);
        CertificateFiles others = same == null ? byChain.get(files.chain()) : null;
        return others == null ? same : identities.get(others);
    }

    /** Files of certificates that lie in a directory or below it, in the order in which they were loaded. */
    List<CertificateFiles> below(Path directory) {
        return identities.keySet().stream()
                .filter(files -> files.chain().startsWith(directory))
                .toList();
    }

    /** A certificate of the configuration. */
    public Identity of(CertificateFiles files) {
        return Objects.requireNonNull(identities.get(files));
    }

    @Override
    public void close() {
        identities.values().forEach(Identity::close);
        identities.clear();
        byChain.clear();
        outdated.clear();
    }
}
