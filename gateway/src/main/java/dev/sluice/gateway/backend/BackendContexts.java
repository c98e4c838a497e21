package dev.sluice.gateway.backend;

import dev.sluice.config.certificate.KeyPairFiles;
import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.BackendTlsConfig;
import dev.sluice.config.model.CertificateConfig;
import dev.sluice.config.model.TlsVersion;
import dev.sluice.gateway.certificate.IdentitySources;
import dev.sluice.tls.context.ClientContextBuilder;
import dev.sluice.tls.context.ProtocolVersion;
import dev.sluice.tls.context.TlsContext;
import java.nio.file.Path;
import java.util.Objects;

/** The maker of the TLS contexts for connections to backends. */
final class BackendContexts {
    private BackendContexts() {}

    /**
     * Makes the context of a backend that has TLS.
     *
     * @return the caller closes it
     * @throws dev.sluice.tls.failure.TlsConfigurationException naming value, cause and remedy
     */
    static TlsContext of(BackendConfig backend) {
        BackendTlsConfig config = Objects.requireNonNull(backend.tls());
        ClientContextBuilder builder = TlsContext.client()
                .alpn(config.alpn())
                .versions(
                        config.minVersion() == TlsVersion.TLS_1_3 ? ProtocolVersion.TLS_1_3 : ProtocolVersion.TLS_1_2,
                        ProtocolVersion.TLS_1_3);
        applyTrust(config, builder);
        CertificateConfig certificate = config.certificate();
        if (certificate != null) {
            for (KeyPairFiles pair : certificate.keyPairs()) {
                builder.certificate(IdentitySources.of(pair.files()));
            }
            // Whether one that has expired is still good enough is for the server to say.
            builder.dangerouslyAllowExpiredCertificate();
        }
        return builder.build();
    }

    private static void applyTrust(BackendTlsConfig config, ClientContextBuilder builder) {
        Path authorities = config.authorities();
        if (!config.verify()) {
            builder.dangerouslyTrustAnyone();
        } else if (authorities != null) {
            builder.trust(authorities);
        }
    }
}
