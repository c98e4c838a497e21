package dev.sluice.tls.context;

import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL_OP_CIPHER_SERVER_PREFERENCE;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL_VERIFY_NONE;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL_VERIFY_PEER;

import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.ffi.openssl.SslCtx;
import dev.sluice.ffi.openssl.X509;
import dev.sluice.ffi.openssl.delegation.DelegationCallbacks;
import dev.sluice.ffi.openssl.raw.OpenSsl;
import dev.sluice.tls.certificate.CertificateSummary;
import dev.sluice.tls.certificate.ClientNames;
import dev.sluice.tls.certificate.Staples;
import dev.sluice.tls.failure.TlsConfigurationException;
import dev.sluice.tls.ticket.TicketPolicy;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A builder of contexts whose connections ask an owner in Java for certificates and for verdicts on those of peers: the
 * {@code HandshakeDelegate} of the engine. Such a context has neither identities nor trust of its own.
 */
public final class DelegatedContextBuilder extends ContextBuilder<DelegatedContextBuilder> {
    /** The sources of the OCSP responses that a server staples. */
    public enum StapleSource {
        /** There are none. */
        OFF,
        /** {@code HandshakeDelegate.onStatusRequest}. */
        BY_DELEGATE
    }

    /** The ways to choose the suite at a server. */
    public enum SuiteOrder {
        /** The first of the server's list that the client offers. */
        OURS,
        /** The first of the client's list that the server has. */
        PEERS
    }

    private final boolean server;
    private ClientAuthentication clientAuthentication = ClientAuthentication.NONE;
    private List<byte[]> authorities = List.of();
    private List<String> signatureSchemes = List.of();
    private SuiteOrder suiteOrder = SuiteOrder.OURS;
    private byte[] sessions = {};
    private byte[] offered = {};
    private long sessionSeconds;
    private @Nullable TlsContext ticketKeys;
    private StapleSource stapling = StapleSource.OFF;

    private DelegatedContextBuilder(boolean server) {
        this.server = server;
    }

    /** Creates a builder of server contexts. */
    public static DelegatedContextBuilder server() {
        return new DelegatedContextBuilder(true);
    }

    /** Creates a builder of client contexts. */
    public static DelegatedContextBuilder client() {
        return new DelegatedContextBuilder(false);
    }

    /**
     * Requests certificates from clients.
     *
     * @param issuers certificates in DER, whose subjects are named in requests
     */
    public DelegatedContextBuilder clientAuthentication(ClientAuthentication mode, List<byte[]> issuers) {
        this.clientAuthentication = mode;
        this.authorities = List.copyOf(issuers);
        return this;
    }

    /** Sets the signature schemes by preference, names of the TLS registry; empty for OpenSSL's default. */
    public DelegatedContextBuilder signatureSchemes(List<String> names) {
        this.signatureSchemes = List.copyOf(names);
        return this;
    }

    /** Sets the application protocols that a client offers; characters stand for bytes, as in JSSE. */
    public DelegatedContextBuilder offeredProtocols(List<String> names) {
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        for (String name : names) {
            byte[] bytes = name.getBytes(StandardCharsets.ISO_8859_1);
            wire.write(bytes.length);
            wire.writeBytes(bytes);
        }
        this.offered = wire.toByteArray();
        return this;
    }

    /** Sets whose preference decides on a server's suite; ours unless set. */
    public DelegatedContextBuilder suiteOrder(SuiteOrder order) {
        this.suiteOrder = order;
        return this;
    }

    /** Sets the id context under which a server resumes sessions: at most 32 bytes. */
    public DelegatedContextBuilder sessions(byte[] idContext) {
        this.sessions = idContext.clone();
        return this;
    }

    /** Sets the lifetime of sessions. */
    public DelegatedContextBuilder sessionSeconds(long seconds) {
        this.sessionSeconds = seconds;
        return this;
    }

    /** Seals tickets with the keys of another server context instead of its own. */
    public DelegatedContextBuilder ticketKeysOf(TlsContext other) {
        this.ticketKeys = other;
        return this;
    }

    /** Sets the source of OCSP responses for clients that request them; none unless set. */
    public DelegatedContextBuilder stapling(StapleSource source) {
        this.stapling = source;
        return this;
    }

    @Override
    SslCtx newHandle() {
        return server ? SslCtx.server() : SslCtx.client();
    }

    @Override
    DelegatedContextBuilder self() {
        return this;
    }

    @Override
    String groupsList(OpenSsl openSsl, List<String> known) {
        return server ? super.groupsList(openSsl, known) : ClientContextBuilder.withShares(openSsl, known);
    }

    @Override
    Special configureSpecial(SslCtx context, List<CertificateSummary> certificates, AlpnList protocols) {
        DelegationCallbacks.install(context);
        if (stapling == StapleSource.BY_DELEGATE) {
            context.installStatusCallback();
        }
        if (sessionSeconds > 0) {
            context.sessionTimeout(sessionSeconds);
        }
        configureSignatureSchemes(context);
        TicketPolicy policy = server ? configureServer(context) : configureClient(context);
        context.sessionCache(0);
        context.logKeys();
        // libssl does not verify: the mode of the settings is for its own verification.
        return new Special(
                server,
                SSL_VERIFY_NONE,
                ClientNames.ANY,
                policy,
                null,
                Staples.NONE,
                new SessionContext(sessions),
                null);
    }

    private void configureSignatureSchemes(SslCtx context) {
        if (signatureSchemes.isEmpty()) {
            return;
        }
        try {
            context.signatureSchemes(String.join(":", signatureSchemes));
        } catch (OpenSslException e) {
            throw new TlsConfigurationException(
                    "unknown name in the signature schemes " + signatureSchemes
                            + "; use names of the TLS registry such as ecdsa_secp256r1_sha256",
                    e);
        }
    }

    private TicketPolicy configureServer(SslCtx context) {
        if (suiteOrder == SuiteOrder.OURS) {
            context.addOptions(SSL_OP_CIPHER_SERVER_PREFERENCE);
        }
        context.verify(clientAuthentication.verifyMode());
        for (byte[] authority : authorities) {
            try (X509 certificate = X509.fromDer(authority)) {
                context.nameAuthority(certificate);
            }
        }
        context.installServerCallbacks();
        context.sessionIdContext(sessions);
        if (ticketKeys != null) {
            context.shareTicketKeys(ticketKeys.handle());
        }
        return new TicketPolicy(true, ServerContextBuilder.DEFAULT_TICKETS, null);
    }

    private TicketPolicy configureClient(SslCtx context) {
        context.verify(SSL_VERIFY_PEER);
        if (offered.length > 0) {
            context.offerAlpn(offered);
        }
        return TicketPolicy.NONE;
    }
}
