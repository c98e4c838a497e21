package dev.sluice.tls.context;

import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL_MAX_SSL_SESSION_ID_LENGTH;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL_OP_CIPHER_SERVER_PREFERENCE;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL_OP_NO_TICKET;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL_OP_PRIORITIZE_CHACHA;

import dev.sluice.ffi.openssl.SslCtx;
import dev.sluice.ffi.openssl.raw.OpenSsl;
import dev.sluice.tls.certificate.CertificateSummary;
import dev.sluice.tls.certificate.ClientNames;
import dev.sluice.tls.certificate.ClientTrust;
import dev.sluice.tls.certificate.PemSource;
import dev.sluice.tls.certificate.StapleSource;
import dev.sluice.tls.certificate.Staples;
import dev.sluice.tls.ech.EchKeyRing;
import dev.sluice.tls.engine.BufferedEngine;
import dev.sluice.tls.failure.TlsConfigurationException;
import dev.sluice.tls.lean.LeanContext;
import dev.sluice.tls.lean.LeanIdentity;
import dev.sluice.tls.ticket.TicketKeyRing;
import dev.sluice.tls.ticket.TicketPolicy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A builder of server contexts. */
public final class ServerContextBuilder extends ContextBuilder<ServerContextBuilder> {
    /** The default number of tickets for a TLS 1.3 client: browsers open two connections at once. */
    public static final int DEFAULT_TICKETS = 2;

    /** RFC 8446 section 4.6.1: seven days. */
    private static final long MAX_TICKET_LIFETIME_SECONDS = 604_800;

    private ClientAuthentication clientAuthentication = ClientAuthentication.NONE;
    private @Nullable PemSource clientAuthorities;
    private @Nullable ClientTrust clientTrust;
    private ClientNames clientNames = ClientNames.ANY;
    private int tickets = DEFAULT_TICKETS;
    private int sessionCacheSize;
    private @Nullable TicketKeyRing ticketKeys;
    private @Nullable EarlyDataPolicy earlyData;
    private @Nullable StapleSource staples;
    private String virtualHost = "";
    private Duration clockTolerance = Duration.ZERO;
    private byte @Nullable [] foreignSessionId;
    private HandshakePath path = HandshakePath.AUTO;
    private @Nullable EchKeyRing encryptedHello;
    private boolean compressed;
    private boolean deferred;

    ServerContextBuilder() {}

    /**
     * Requests certificates from clients.
     *
     * @param authorities PEM: the permitted issuers
     */
    public ServerContextBuilder clientAuthentication(ClientAuthentication mode, PemSource authorities) {
        this.clientAuthentication = mode;
        this.clientAuthorities = mode == ClientAuthentication.NONE ? null : authorities;
        this.clientTrust = null;
        return this;
    }

    /**
     * Requests certificates from clients, verified by a trust that the caller keeps and closes after {@link #build()}.
     */
    public ServerContextBuilder clientAuthentication(ClientAuthentication mode, ClientTrust trust) {
        this.clientAuthentication = mode;
        this.clientAuthorities = null;
        this.clientTrust = mode == ClientAuthentication.NONE ? null : trust;
        return this;
    }

    /** Requests certificates from clients, with authorities from a PEM file. */
    public ServerContextBuilder clientAuthentication(ClientAuthentication mode, Path authorities) {
        return clientAuthentication(mode, PemSource.file(authorities));
    }

    /** Authorizes only verified clients with certain names. A client without a certificate has none. */
    public ServerContextBuilder clientNames(ClientNames names) {
        if (!names.isAny()) {
            SslCtx.linkNameChecks();
        }
        this.clientNames = names;
        return this;
    }

    /**
     * Sets the number of session tickets that a TLS 1.3 client gets after a full handshake; 0 disables tickets,
     * including TLS 1.2. After a resumed handshake libssl sends at most one (statem_srvr.c), which replaces the used
     * one.
     */
    public ServerContextBuilder sessionTickets(int count) {
        if (count < 0) {
            throw new TlsConfigurationException(
                    "session tickets must be at least 0, sessionTickets=" + count + "; 0 disables them");
        }
        this.tickets = count;
        return this;
    }

    /**
     * Seals tickets with the keys of a ring, which must outlive the context's connections. Without a ring, each context
     * has its own permanent key and resumes only its own sessions.
     */
    public ServerContextBuilder ticketKeys(TicketKeyRing keys) {
        this.ticketKeys = keys;
        return this;
    }

    /**
     * Accepts early data of clients that resume by ticket, on connections whose owner calls {@link
     * BufferedEngine#handshake(long, int)}. The policy must outlive the context's connections. Without a policy, early
     * data is rejected.
     */
    public ServerContextBuilder earlyData(EarlyDataPolicy policy) {
        this.earlyData = policy;
        return this;
    }

    /**
     * Staples OCSP responses to the certificates for which the source has a slot, when clients request them. Without a
     * source, or while a slot is empty, handshakes continue without a response.
     */
    public ServerContextBuilder staples(StapleSource source) {
        SslCtx.linkStapling();
        this.staples = source;
        return this;
    }

    /** Sets the number of sessions cached for resumption by session id; 0 (the default) disables the cache. */
    public ServerContextBuilder sessionCache(int sessions) {
        this.sessionCacheSize = sessions;
        return this;
    }

    /**
     * Sets the name of the virtual host. A session resumes only under the virtual host, certificates and client
     * authentication (including authorities, revocation lists, depth and names) of its origin, whatever ticket keys are
     * shared.
     */
    public ServerContextBuilder virtualHost(String name) {
        this.virtualHost = name;
        return this;
    }

    /**
     * Sets the permitted clock difference of servers that share ticket keys. OpenSSL writes its own time into a session
     * and drops sessions that seem too old; keys that expire by a common clock enforce that better.
     */
    public ServerContextBuilder clockTolerance(Duration difference) {
        this.clockTolerance = difference;
        return this;
    }

    /**
     * Shares sessions with foreign servers, using this id context instead of the one derived from virtual host,
     * certificates and client authentication; dangerous. Not allowed with client authentication, which such a session
     * may have bypassed.
     *
     * @param context the id context of those servers' sessions, at most 32 bytes; the caller ensures that no session
     *     resumes under another certificate
     */
    public ServerContextBuilder dangerouslySharedSessions(byte[] context) {
        this.foreignSessionId = context.clone();
        return this;
    }

    /**
     * Sets the way to handshakes; the default is {@link HandshakePath#AUTO}. {@link HandshakePath#LEAN} is refused by
     * {@link #build()} where OpenSSL's configuration requires the FIPS provider.
     */
    public ServerContextBuilder handshake(HandshakePath path) {
        this.path = path;
        return this;
    }

    /**
     * Sends compressed certificates (RFC 8879) to TLS 1.3 clients that accept them, by the algorithms that OpenSSL has
     * (3.2 or later). Each is compressed once, when the context is built: by zlib alone where a {@link
     * ServerNameSelector} builds it for its first client, since the others would delay the loop. Without effect on
     * certificates with a stapled response, which differs from the compressed message, and on lean handshakes, which
     * send certificates as they are.
     */
    public ServerContextBuilder compressedCertificates() {
        this.compressed = true;
        return this;
    }

    /**
     * Opens Encrypted ClientHello (RFC 9849) with the keys of a ring, and sends its configurations to clients that used
     * another. The name inside chooses the virtual host. Requires {@link OpenSsl#supportsEncryptedHello()}, else {@link
     * #build()} refuses. Without a ring, the extension is ignored.
     *
     * <p>libssl does the handshakes of clients that send the extension, which many do as GREASE.
     */
    public ServerContextBuilder encryptedHello(EchKeyRing keys) {
        this.encryptedHello = keys;
        return this;
    }

    @Override
    boolean isLean() {
        return switch (path) {
            case AUTO -> !OpenSsl.require().requiresFips();
            case LEAN -> true;
            case LIBSSL -> false;
        };
    }

    @Override
    @Nullable
    LeanContext leanContext(OpenSsl openSsl, SslCtx context, List<LeanIdentity> identities, Special special) {
        boolean supported = newest() == ProtocolVersion.TLS_1_3
                && clientAuthentication == ClientAuthentication.NONE
                && !isPinned()
                && earlyData == null
                && sessionCacheSize == 0;
        if (!supported) {
            identities.forEach(LeanIdentity::close);
            return null;
        }
        return LeanContext.of(
                identities,
                suites13(),
                knownGroups(openSsl),
                tickets,
                ticketKeys,
                new LeanContext.SessionMark(special.sessions().id()),
                sessionSeconds());
    }

    private long sessionSeconds() {
        TicketKeyRing ring = ticketKeys;
        return ring == null ? 0 : Math.min(ring.keep().plus(clockTolerance).toSeconds(), MAX_TICKET_LIFETIME_SECONDS);
    }

    @Override
    SslCtx newHandle() {
        if (encryptedHello != null && !OpenSsl.require().supportsEncryptedHello()) {
            throw new TlsConfigurationException("Encrypted ClientHello needs OpenSSL 4.0 or later, but this is "
                    + OpenSsl.require().version() + "; set " + OpenSsl.ENVIRONMENT
                    + " to a directory with it, or do without");
        }
        if (path == HandshakePath.LEAN && OpenSsl.require().requiresFips()) {
            throw new TlsConfigurationException("the lean handshake uses algorithms outside of OpenSSL's FIPS provider,"
                    + " which OpenSSL's configuration requires (fips=yes); set handshake to libssl");
        }
        return SslCtx.server();
    }

    @Override
    ServerContextBuilder self() {
        return this;
    }

    @Override
    Special configureSpecial(SslCtx context, List<CertificateSummary> certificates, AlpnList protocols) {
        if (certificates.isEmpty()) {
            throw new TlsConfigurationException("a server requires a certificate; add a chain and its key");
        }
        // Our order applies, except for clients that prefer ChaCha20: they lack AES instructions.
        context.addOptions(SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA);
        List<String> authorities = configureClientAuthentication(context);
        TicketPolicy policy = configureResumption(context);
        byte[] sessions = sessionIdContext(certificates, authorities);
        context.sessionIdContext(sessions);
        context.installServerCallbacks();
        context.logKeys();
        configureEarlyData(context);
        Staples stapled = configureStaples(context);
        if (compressed && stapled.isEmpty()) {
            compressCertificates(context);
        }
        return new Special(
                true,
                clientAuthentication.verifyMode(),
                clientNames,
                policy,
                earlyData,
                stapled,
                new SessionContext(sessions),
                encryptedHello);
    }

    private List<String> configureClientAuthentication(SslCtx context) {
        int mode = clientAuthentication.verifyMode();
        if (clientNames.isAny()) {
            context.verify(mode);
        } else {
            context.verifyNames(mode);
        }
        ClientTrust loaded = clientTrust;
        PemSource source = clientAuthorities;
        if (loaded == null && source == null) {
            return List.of();
        }
        try (ClientTrust trust = loaded == null
                ? ClientTrust.load(Objects.requireNonNull(source), List.of(), ClientTrust.ANY_DEPTH)
                : loaded.held()) {
            trust.useIn(context);
            return trust.marks();
        }
    }

    private void compressCertificates(SslCtx context) {
        if (newest() != ProtocolVersion.TLS_1_3) {
            return;
        }
        for (SslCtx.Compression algorithm : SslCtx.Compression.values()) {
            if (!deferred || algorithm == SslCtx.Compression.ZLIB) {
                context.compressCertificates(algorithm);
            }
        }
    }

    @Override
    void holdLoaded() {
        deferred = true;
        super.holdLoaded();
        if (clientTrust != null) {
            clientTrust.held();
        }
    }

    @Override
    void releaseLoaded() {
        super.releaseLoaded();
        if (clientTrust != null) {
            clientTrust.close();
        }
    }

    private TicketPolicy configureResumption(SslCtx context) {
        // Without tickets but with a cache, TLS 1.3 issues names of cached sessions instead.
        int sent = tickets == 0 && sessionCacheSize > 0 ? DEFAULT_TICKETS : tickets;
        TicketPolicy policy = new TicketPolicy(tickets > 0, sent, ticketKeys);
        context.sessionCache(sessionCacheSize);
        context.ticketCount(policy.count());
        if (!policy.stateless()) {
            context.addOptions(SSL_OP_NO_TICKET);
        }
        TicketKeyRing ring = ticketKeys;
        if (ring != null) {
            context.installTicketCallback();
            context.watchTickets();
            context.sessionTimeout(sessionSeconds());
        }
        return policy;
    }

    private Staples configureStaples(SslCtx context) {
        StapleSource source = staples;
        if (source == null) {
            return Staples.NONE;
        }
        Staples found = Staples.of(context, source);
        if (!found.isEmpty()) {
            context.installStatusCallback();
        }
        return found;
    }

    private void configureEarlyData(SslCtx context) {
        EarlyDataPolicy policy = earlyData;
        if (policy == null) {
            return;
        }
        if (tickets == 0) {
            throw new TlsConfigurationException(
                    "early data requires session tickets, which are disabled; enable tickets or disable early data");
        }
        context.earlyData(policy.maxBytes(), policy.mark());
    }

    /**
     * Returns the id context: equal in every context built alike, so that loops resume each other's sessions, and
     * different in any other.
     */
    private byte[] sessionIdContext(List<CertificateSummary> certificates, List<String> authorities) {
        byte[] foreign = foreignSessionId;
        if (foreign != null) {
            if (clientAuthentication != ClientAuthentication.NONE) {
                throw new TlsConfigurationException("sessions of other servers cannot be shared with client"
                        + " authentication " + clientAuthentication + ": they may have bypassed it; disable one");
            }
            return foreign;
        }
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            List<String> parts = new ArrayList<>(List.of(virtualHost, clientAuthentication.name()));
            certificates.forEach(certificate -> parts.add(certificate.sha256()));
            parts.addAll(authorities);
            parts.addAll(clientNames.marks());
            for (String part : parts) {
                digest.update(part.getBytes(StandardCharsets.UTF_8));
                digest.update((byte) 0);
            }
            return Arrays.copyOf(digest.digest(), SSL_MAX_SSL_SESSION_ID_LENGTH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is missing in this JDK", e);
        }
    }
}
