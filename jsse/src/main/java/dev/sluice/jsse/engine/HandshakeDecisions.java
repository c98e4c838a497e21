package dev.sluice.jsse.engine;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.HandshakeCallbacks;
import dev.sluice.ffi.openssl.Ssl;
import dev.sluice.ffi.openssl.delegation.PeerOffer;
import dev.sluice.ffi.openssl.raw.OpenSslConstants;
import dev.sluice.jsse.context.ContextState;
import dev.sluice.jsse.context.DelegatedPrivateKey;
import dev.sluice.jsse.context.EngineRole;
import dev.sluice.jsse.context.PresentedChain;
import dev.sluice.jsse.context.SignatureSchemes;
import dev.sluice.jsse.session.SessionFacts;
import dev.sluice.jsse.session.SluiceSession;
import dev.sluice.tls.context.ClientAuthentication;
import dev.sluice.tls.engine.HandshakeDelegate;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The decisions of one engine's handshake: key and trust managers, SNI matchers and ALPN selectors of the application.
 *
 * <p>libssl asks for a certificate and for a verdict inside a foreign call, where application code should not block:
 * the handshake is suspended, and {@link #chooseCertificate} or {@link #verifyServer} runs outside of libssl, in a
 * delegated task. A server cannot be suspended for the verdict on its client, nor anybody for a signature: such a step
 * runs in a task as a whole.
 */
final class HandshakeDecisions implements HandshakeDelegate {
    /** A decision that may take a task. */
    private enum Decision {
        OPEN,
        ACCEPTED,
        REFUSED
    }

    /** The state of the signature of a key that signs in its provider. */
    private enum ProviderSignature {
        /** Not known to be needed. */
        NONE,
        /** May be made in the next step of libssl. */
        DUE,
        MADE
    }

    /** The alerts of refused certificates, those that SunJSSE sends, with an error of libssl's that leads to each. */
    private enum Refusal {
        REVOKED(OpenSslConstants.SSL_AD_CERTIFICATE_REVOKED, OpenSslConstants.X509_V_ERR_CERT_REVOKED),
        EXPIRED(OpenSslConstants.SSL_AD_CERTIFICATE_EXPIRED, OpenSslConstants.X509_V_ERR_CERT_HAS_EXPIRED),
        BAD(OpenSslConstants.SSL_AD_BAD_CERTIFICATE, OpenSslConstants.X509_V_ERR_CERT_REJECTED),
        UNSUPPORTED(OpenSslConstants.SSL_AD_UNSUPPORTED_CERTIFICATE, OpenSslConstants.X509_V_ERR_INVALID_PURPOSE),
        UNKNOWN(OpenSslConstants.SSL_AD_CERTIFICATE_UNKNOWN, OpenSslConstants.X509_V_ERR_OCSP_VERIFY_FAILED);

        private final int alert;
        private final int error;

        Refusal(int alert, int error) {
            this.alert = alert;
            this.error = error;
        }

        static Refusal of(CertificateException refusal) {
            if (!(refusal.getCause() instanceof CertPathValidatorException path)
                    || !(path.getReason() instanceof BasicReason reason)) {
                return UNKNOWN;
            }
            return switch (reason) {
                case REVOKED -> REVOKED;
                case EXPIRED -> EXPIRED;
                case INVALID_SIGNATURE, NOT_YET_VALID -> BAD;
                case ALGORITHM_CONSTRAINED -> UNSUPPORTED;
                case UNSPECIFIED, UNDETERMINED_REVOCATION_STATUS -> UNKNOWN;
            };
        }
    }

    private final SSLEngine engine;
    private final EngineRole role;
    private final ContextState context;
    private final EngineParameters settings;
    private final @Nullable BiFunction<SSLEngine, List<String>, String> selector;
    private final Ssl ssl;

    private Decision certificate = Decision.OPEN;
    private Decision peer = Decision.OPEN;
    private ProviderSignature signature = ProviderSignature.NONE;
    private List<PresentedChain> presented = List.of();
    private Map<X509Certificate, byte[]> staples = Map.of();
    private List<X509Certificate> verified = List.of();
    private List<X509Certificate> resumedLocal = List.of();
    private List<SNIServerName> requestedNames = List.of();
    private @Nullable List<String> offeredProtocols;
    private volatile @Nullable String protocol;
    private int verificationError = OpenSslConstants.X509_V_ERR_CERT_REJECTED;
    private @Nullable SSLException thrown;
    private volatile @Nullable SluiceSession session;

    HandshakeDecisions(
            SSLEngine engine,
            EngineRole role,
            ContextState context,
            EngineParameters settings,
            @Nullable BiFunction<SSLEngine, List<String>, String> selector,
            Ssl ssl) {
        this.engine = engine;
        this.role = role;
        this.context = context;
        this.settings = settings;
        this.selector = selector;
        this.ssl = ssl;
        if (role == EngineRole.CLIENT) {
            requestedNames = settings.serverNames(engine.getPeerHost());
        }
    }

    /** Returns the failure that application code or its settings have caused; null for none. */
    @Nullable
    SSLException thrown() {
        return thrown;
    }

    /** Returns the session as managers and selectors see it; null before they are asked. */
    @Nullable
    SluiceSession session() {
        return session;
    }

    private void renewSession() {
        session = SluiceSession.unestablished(facts());
    }

    /** Returns the application protocol that a server has chosen so far; null before, "" for none. */
    @Nullable
    String protocol() {
        return protocol;
    }

    /**
     * Returns whether the next step may call application code inside of libssl, so that the step takes a task: a
     * server's trust manager judges its client, or the provider of a private key signs.
     */
    boolean stepTakesTask() {
        return signature == ProviderSignature.DUE || judgesInside();
    }

    private boolean judgesInside() {
        return role == EngineRole.SERVER
                && settings.clientAuthentication() != ClientAuthentication.NONE
                && certificate != Decision.OPEN
                && peer == Decision.OPEN;
    }

    /** Returns what is known of the connection. */
    SessionFacts facts() {
        String version = ssl.version();
        String suite = ssl.negotiatedCipher();
        List<Integer> peerSchemes = PeerOffer.signatureSchemes(ssl);
        SessionFacts unknown = SessionFacts.none(engine.getPeerHost(), engine.getPeerPort());
        byte[] staple = role == EngineRole.CLIENT ? PeerOffer.staple(ssl) : null;
        return new SessionFacts(
                version,
                suite.isEmpty() ? unknown.suite() : suite,
                unknown.peerHost(),
                unknown.peerPort(),
                verified,
                presentedChain(),
                SignatureSchemes.accepted(),
                SignatureSchemes.algorithms(peerSchemes),
                requestedNames,
                staple == null ? List.of() : List.of(staple));
    }

    /** Returns the chain that libssl has chosen among those presented. */
    private List<X509Certificate> presentedChain() {
        if (presented.isEmpty()) {
            return resumedLocal;
        }
        byte[] chosen = PeerOffer.answered(ssl);
        for (PresentedChain each : presented) {
            List<X509Certificate> chain = each.chain();
            try {
                if (chosen != null && Arrays.equals(chain.getFirst().getEncoded(), chosen)) {
                    return chain;
                }
            } catch (CertificateException e) {
                return List.of();
            }
        }
        return List.of();
    }

    // ---- certificates

    @Override
    public Answer onCertificate() {
        return answer(certificate);
    }

    private static Answer answer(Decision decision) {
        return switch (decision) {
            case OPEN -> Answer.SUSPEND;
            case ACCEPTED -> Answer.PROCEED;
            case REFUSED -> Answer.REFUSE;
        };
    }

    /** Asks the key manager, while the handshake is suspended. */
    void chooseCertificate() {
        try {
            renewSession();
            List<String> keyTypes = SignatureSchemes.keyTypes(PeerOffer.signatureSchemes(ssl));
            if (role == EngineRole.SERVER) {
                selectProtocol();
                presented = context.keys().answerAsServer(ssl, keyTypes, engine);
                fetchStaples();
            } else {
                PresentedChain chain = context.keys().answerAsClient(ssl, keyTypes, PeerOffer.authorities(ssl), engine);
                presented = chain == null ? List.of() : List.of(chain);
            }
            if (presented.stream().anyMatch(each -> each.key() != null)) {
                signature = ProviderSignature.DUE;
            }
            if (role == EngineRole.SERVER && presented.isEmpty()) {
                // libssl then finds nothing to authenticate with, and sends handshake_failure.
                thrown = TlsExceptions.refusal(
                        OpenSslConstants.SSL_AD_HANDSHAKE_FAILURE,
                        "No available authentication scheme: the key manager has no key of the types " + keyTypes
                                + " that the client accepts; add a key and its certificate",
                        null);
            }
            certificate = Decision.ACCEPTED;
        } catch (SSLException | RuntimeException e) {
            onThrown(e);
            certificate = Decision.REFUSED;
        }
    }

    /** Asks responders about our certificates, in case libssl chooses one of them. */
    private void fetchStaples() {
        if (context.isStapling() && PeerOffer.requestsStatus(ssl)) {
            staples = context.staples(
                    presented.stream().map(PresentedChain::chain).toList());
        }
    }

    @Override
    public byte @Nullable [] onStatusRequest(long certificate) {
        List<X509Certificate> chain = presentedChain();
        return chain.isEmpty() ? null : staples.get(chain.getFirst());
    }

    // ---- signatures

    @Override
    public byte @Nullable [] onSign(long key, String digest, int padding, byte[] message) {
        DelegatedPrivateKey signer = signer(key);
        try {
            byte[] signed = signer.sign(digest, padding, message);
            signature = ProviderSignature.MADE;
            return signed;
        } catch (GeneralSecurityException | RuntimeException e) {
            thrown = TlsExceptions.refusal(
                    OpenSslConstants.SSL_AD_INTERNAL_ERROR,
                    "the private key cannot sign (" + e + "); check the provider of "
                            + signer.key().getClass().getName(),
                    e);
            return null;
        }
    }

    private DelegatedPrivateKey signer(long number) {
        return presented.stream()
                .map(PresentedChain::key)
                .filter(Objects::nonNull)
                .filter(key -> key.number() == number)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no key was presented with the number " + number));
    }

    // ---- verification

    @Override
    public Answer onVerify(long storeContext) {
        if (role == EngineRole.SERVER) {
            verify(PeerOffer.chain(storeContext));
        }
        return answer(peer);
    }

    @Override
    public int verificationError() {
        return verificationError;
    }

    /** Asks the trust manager about the server, while the handshake is suspended. */
    void verifyServer() {
        verify(PeerOffer.chain(ssl));
    }

    private void verify(List<byte[]> encoded) {
        try {
            renewSession();
            X509Certificate[] chain = parsed(encoded);
            context.trust().check(chain, authType(chain[0]), engine, role);
            verified = List.of(chain);
            renewSession();
            peer = Decision.ACCEPTED;
        } catch (CertificateException e) {
            Refusal refusal = role == EngineRole.CLIENT ? Refusal.of(e) : Refusal.UNKNOWN;
            verificationError = refusal.error;
            thrown = TlsExceptions.refusal(refusal.alert, e.getMessage(), e);
            peer = Decision.REFUSED;
        } catch (RuntimeException e) {
            onThrown(e);
            peer = Decision.REFUSED;
        }
    }

    static X509Certificate[] parsed(List<byte[]> encoded) throws CertificateException {
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        X509Certificate[] chain = new X509Certificate[encoded.size()];
        for (int i = 0; i < chain.length; i++) {
            chain[i] = (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(encoded.get(i)));
        }
        return chain;
    }

    /** Returns the authentication type that trust managers know: see X509TrustManager. */
    private String authType(X509Certificate certificate) {
        if (role == EngineRole.SERVER) {
            String algorithm = certificate.getPublicKey().getAlgorithm();
            return switch (algorithm) {
                case "RSA", "DSA", "EC", "RSASSA-PSS" -> algorithm;
                default -> "UNKNOWN";
            };
        }
        String suite = ssl.negotiatedCipher();
        int end = suite.indexOf("_WITH_");
        return end < 0 ? "UNKNOWN" : suite.substring("TLS_".length(), end);
    }

    /** Takes over the certificates of a resumed session, whose handshake presents none. */
    void takeCertificates(List<X509Certificate> peers, List<X509Certificate> ours) {
        verified = peers;
        resumedLocal = ours;
    }

    // ---- server name and application protocol

    @Override
    public boolean onClientHello(String serverName) {
        offeredProtocols = protocols(ssl.clientHelloAlpn());
        if (serverName.isEmpty()) {
            return true;
        }
        SNIHostName name = new SNIHostName(serverName.getBytes(StandardCharsets.US_ASCII));
        requestedNames = List.of(name);
        boolean accepted = settings.accepts(name);
        if (!accepted) {
            thrown = TlsExceptions.refusal(
                    OpenSslConstants.SSL_AD_UNRECOGNIZED_NAME,
                    "Unrecognized server name indication: " + serverName,
                    null);
        }
        return accepted;
    }

    /** Returns the names of the ALPN extension; null when it is absent. */
    private static @Nullable List<String> protocols(byte @Nullable [] extension) {
        if (extension == null) {
            return null;
        }
        List<String> names = new ArrayList<>();
        for (int at = Short.BYTES; at < extension.length; ) {
            int length = extension[at] & 0xFF;
            if (at + 1 + length > extension.length) {
                return List.of(); // malformed, which libssl rejects
            }
            names.add(new String(extension, at + 1, length, StandardCharsets.ISO_8859_1));
            at += 1 + length;
        }
        return names;
    }

    /** Chooses the application protocol: by the selector of the application, or else by the list of a server. */
    private void selectProtocol() {
        List<String> offered = offeredProtocols;
        if (protocol != null || offered == null) {
            return;
        }
        renewSession();
        if (selector != null) {
            protocol = selector.apply(engine, offered);
        } else if (settings.alpn().isEmpty()) {
            protocol = "";
        } else {
            protocol = settings.alpn().stream()
                    .filter(offered::contains)
                    .findFirst()
                    .orElse(null);
        }
    }

    @Override
    public int onAlpn(long offered, int length) {
        selectProtocol();
        String chosen = protocol;
        if (chosen == null) {
            thrown = refusedProtocol("No matching application layer protocol values");
            return HandshakeCallbacks.Target.REFUSE;
        }
        if (chosen.isEmpty()) {
            return HandshakeCallbacks.Target.NO_PROTOCOL;
        }
        byte[] name = chosen.getBytes(StandardCharsets.ISO_8859_1);
        for (int at = 0; at < length; at += 1 + (RawMemory.getByte(offered + at) & 0xFF)) {
            if (isAt(offered + at, name)) {
                return at;
            }
        }
        thrown = refusedProtocol("The selected protocol was not offered by the client: " + chosen);
        return HandshakeCallbacks.Target.REFUSE;
    }

    private static SSLException refusedProtocol(String text) {
        return TlsExceptions.refusal(OpenSslConstants.SSL_AD_NO_APPLICATION_PROTOCOL, text, null);
    }

    private static boolean isAt(long address, byte[] name) {
        if ((RawMemory.getByte(address) & 0xFF) != name.length) {
            return false;
        }
        for (int i = 0; i < name.length; i++) {
            if (RawMemory.getByte(address + 1 + i) != name[i]) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void onThrown(Throwable cause) {
        String text = TlsExceptions.withAlert(
                OpenSslConstants.SSL_AD_INTERNAL_ERROR, "application code of the handshake threw " + cause);
        thrown = cause instanceof SSLException known ? known : new SSLException(text, cause);
    }
}
