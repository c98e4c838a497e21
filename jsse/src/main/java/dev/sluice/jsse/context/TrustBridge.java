package dev.sluice.jsse.context;

import dev.sluice.ffi.openssl.X509;
import dev.sluice.ffi.openssl.delegation.PeerOffer;
import java.security.AlgorithmConstraints;
import java.security.CryptoPrimitive;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The bridge from handshakes to the platform's trust manager. An extended manager sees the engine, and checks the host
 * name and constraints itself; for a plain one they are checked here, as SunJSSE does.
 */
public final class TrustBridge {
    private static final Set<CryptoPrimitive> SIGNATURES = EnumSet.of(CryptoPrimitive.SIGNATURE);

    private final X509TrustManager manager;

    TrustBridge(X509TrustManager manager) {
        this.manager = manager;
    }

    /** Returns the certificates of accepted issuers, in DER. */
    List<byte[]> issuers() {
        List<byte[]> issuers = new ArrayList<>();
        X509Certificate[] accepted = manager.getAcceptedIssuers();
        for (X509Certificate each : accepted == null ? new X509Certificate[0] : accepted) {
            try {
                issuers.add(each.getEncoded());
            } catch (CertificateEncodingException e) {
                throw new IllegalArgumentException("an accepted issuer cannot be encoded: " + e.getMessage(), e);
            }
        }
        return issuers;
    }

    /**
     * Checks the certificates of a peer.
     *
     * @param chain the peer's own first
     * @param authType the key exchange with a server, or the key type of a client, as JSSE names them
     * @param engine has the handshake session with what is known of the peer
     * @param role ours
     * @throws CertificateException when the peer is not trusted
     */
    public void check(X509Certificate[] chain, String authType, SSLEngine engine, EngineRole role)
            throws CertificateException {
        if (manager instanceof X509ExtendedTrustManager extended) {
            if (role == EngineRole.CLIENT) {
                extended.checkServerTrusted(chain.clone(), authType, engine);
            } else {
                extended.checkClientTrusted(chain.clone(), authType, engine);
            }
            return;
        }
        if (role == EngineRole.CLIENT) {
            manager.checkServerTrusted(chain.clone(), authType);
        } else {
            manager.checkClientTrusted(chain.clone(), authType);
        }
        checkIdentity(chain[0], engine, role);
        checkConstraints(chain, engine.getSSLParameters().getAlgorithmConstraints());
    }

    private static void checkIdentity(X509Certificate certificate, SSLEngine engine, EngineRole role)
            throws CertificateException {
        SSLParameters parameters = engine.getSSLParameters();
        String algorithm = parameters.getEndpointIdentificationAlgorithm();
        if (algorithm == null || algorithm.isEmpty()) {
            return;
        }
        if (role == EngineRole.SERVER) {
            throw new CertificateException("Endpoint Identification Algorithm " + algorithm
                    + " is not supported on the server side; remove it from the SSLParameters");
        }
        if (!algorithm.equalsIgnoreCase("HTTPS")
                && !algorithm.equalsIgnoreCase("LDAPS")
                && !algorithm.equalsIgnoreCase("LDAP")) {
            throw new CertificateException("Unknown identification algorithm: " + algorithm);
        }
        String host = engine.getPeerHost();
        String name = sentName(parameters.getServerNames());
        try (X509 copy = X509.fromDer(certificate.getEncoded())) {
            if ((name == null || !isFor(copy, name)) && (host == null || !isFor(copy, host))) {
                throw new CertificateException("No name matching " + (host == null ? name : host) + " found");
            }
        }
    }

    private static @Nullable String sentName(@Nullable List<SNIServerName> names) {
        for (SNIServerName name : names == null ? List.<SNIServerName>of() : names) {
            if (name instanceof SNIHostName host) {
                return host.getAsciiName();
            }
        }
        return null;
    }

    private static boolean isFor(X509 certificate, String host) {
        String bare = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
        String name = bare.endsWith(".") ? bare.substring(0, bare.length() - 1) : bare;
        return PeerOffer.isForAddress(certificate, name) || PeerOffer.isForHost(certificate, name);
    }

    private static void checkConstraints(X509Certificate[] chain, @Nullable AlgorithmConstraints constraints)
            throws CertificateException {
        if (constraints == null) {
            return;
        }
        for (X509Certificate each : chain) {
            if (!constraints.permits(SIGNATURES, each.getPublicKey())
                    || !constraints.permits(SIGNATURES, each.getSigAlgName(), null)) {
                throw new CertificateException("Certificates do not conform to algorithm constraints: "
                        + each.getSubjectX500Principal() + ", " + each.getSigAlgName());
            }
        }
    }
}
