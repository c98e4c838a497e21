package dev.sluice.tls;

import static dev.sluice.ffi.openssl.OpenSslConstants.SSL_MAX_SSL_SESSION_ID_LENGTH;
import static dev.sluice.ffi.openssl.OpenSslConstants.SSL_OP_CIPHER_SERVER_PREFERENCE;
import static dev.sluice.ffi.openssl.OpenSslConstants.SSL_OP_NO_TICKET;
import static dev.sluice.ffi.openssl.OpenSslConstants.SSL_OP_PRIORITIZE_CHACHA;

import dev.sluice.ffi.openssl.SslCtx;
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

/** Builds contexts for servers. */
public final class ServerContextBuilder extends ContextBuilder<ServerContextBuilder> {
    /** How many tickets a TLS 1.3 client gets by default: browsers open two connections at once. */
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

    ServerContextBuilder() {}

    /**
     * Asks clients for certificates.
     *
     * @param authorities PEM: the authorities that may have issued them
     */
    public ServerContextBuilder clientAuthentication(ClientAuthentication mode, PemSource authorities) {
        this.clientAuthentication = mode;
        this.clientAuthorities = mode == ClientAuthentication.NONE ? null : authorities;
        this.clientTrust = null;
        return this;
    }

    /** Asks clients for certificates; what they are verified by stays its owner's, who closes it after {@link #build()}. */
    public ServerContextBuilder clientAuthentication(ClientAuthentication mode, ClientTrust trust) {
        this.clientAuthentication = mode;
        this.clientAuthorities = null;
        this.clientTrust = mode == ClientAuthentication.NONE ? null : trust;
        return this;
    }

    /** Asks clients for certificates, with the authorities' in a PEM file. */
    public ServerContextBuilder clientAuthentication(ClientAuthentication mode, Path authorities) {
        return clientAuthentication(mode, PemSource.file(authorities));
    }

    /** Lets in only clients of certain names, of those whose certificate verifies. A client without one has none. */
    public ServerContextBuilder clientNames(ClientNames names) {
        if (!names.isAny()) {
            SslCtx.linkNameChecks();
        }
        this.clientNames = names;
        return this;
    }

    /**
     * How many session tickets a TLS 1.3 client gets after a full handshake; 0: no tickets, TLS 1.2 included. After a resumed
     * one libssl sends one at most (statem_srvr.c), which takes the place of the one that was used.
     */
    public ServerContextBuilder sessionTickets(int count) {
        if (count < 0) {
            throw new TlsConfigurationException(
                    "tickets cannot be fewer than none, sessionTickets=" + count + "; 0 turns them off");
        }
        this.tickets = count;
        return this;
    }

    /**
     * Seals tickets with the keys of a ring, which must live longer than the context's connections; without, each context
     * has a key of its own for good, and resumes only what it began itself.
     */
    public ServerContextBuilder ticketKeys(TicketKeyRing keys) {
        this.ticketKeys = keys;
        return this;
    }

    /**
     * Takes early data of clients that resume by ticket, from connections whose owner asks for it by
     * {@link BufferedEngine#handshake(long, int)}. The policy must live longer than the context's connections. Without, early
     * data is refused.
     */
    public ServerContextBuilder earlyData(EarlyDataPolicy policy) {
        this.earlyData = policy;
        return this;
    }

    /**
     * Staples OCSP responses to the certificates that the source has a slot for, where clients ask for them. Without, or while
     * a slot is empty, handshakes go on without a response.
     */
    public ServerContextBuilder staples(StapleSource source) {
        SslCtx.linkStapling();
        this.staples = source;
        return this;
    }

    /** How many sessions are kept in memory for clients that resume by session id; 0 (the default): none. */
    public ServerContextBuilder sessionCache(int sessions) {
        this.sessionCacheSize = sessions;
        return this;
    }

    /**
     * Names the virtual host. Sessions are resumed only under the same virtual host, certificates and client
     * authentication (authorities, revocation lists, depth and names included) that they were made under, whatever ticket keys are
     * shared.
     */
    public ServerContextBuilder virtualHost(String name) {
        this.virtualHost = name;
        return this;
    }

    /**
     * For how much the clocks of servers that share ticket keys may differ. OpenSSL writes its own time into a session and
     * drops it when it seems too old; keys that expire by a common clock see to that better.
     */
    public ServerContextBuilder clockTolerance(Duration difference) {
        this.clockTolerance = difference;
        return this;
    }

    /**
     * Shares sessions with servers that are not ours: gives them this id context instead of the one that is made of virtual
     * host, certificates and client authentication. Not together with client authentication, which such a session may never
     * have been through.
     *
     * @param context what those servers give their sessions, at most 32 bytes; whoever chooses it sees to it that no
     *     session comes to be resumed under another certificate
     */
    public ServerContextBuilder dangerouslySharedSessions(byte[] context) {
        this.foreignSessionId = context.clone();
        return this;
    }

    @Override
    SslCtx newHandle() {
        return SslCtx.server();
    }

    @Override
    ServerContextBuilder self() {
        return this;
    }

    @Override
    Special configureSpecial(SslCtx context, List<CertificateSummary> certificates, AlpnList protocols) {
        if (certificates.isEmpty()) {
            throw new TlsConfigurationException("a server needs a certificate; give a chain and its key");
        }
        // Ours is the order, but for clients that put ChaCha20 first: they do so for want of AES instructions.
        context.addOptions(SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA);
        List<String> authorities = configureClientAuthentication(context);
        TicketPolicy policy = configureResumption(context);
        byte[] sessions = sessionIdContext(certificates, authorities);
        context.sessionIdContext(sessions);
        context.installServerCallbacks();
        context.logKeys();
        configureEarlyData(context);
        return new Special(
                true,
                clientAuthentication.verifyMode(),
                clientNames,
                policy,
                earlyData,
                configureStaples(context),
                new SessionContext(sessions));
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

    @Override
    void holdLoaded() {
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
        // Without tickets, but with a cache, TLS 1.3 hands out names of cached sessions in their place.
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
            Duration lifetime = ring.keep().plus(clockTolerance);
            context.sessionTimeout(Math.min(lifetime.toSeconds(), MAX_TICKET_LIFETIME_SECONDS));
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
                    "early data comes with session tickets only, and there are none; allow a ticket at least, or no early data");
        }
        context.earlyData(policy.maxBytes(), policy.mark());
    }

    /** The same in every context built alike, so that loops resume each other's sessions; different in any other. */
    private byte[] sessionIdContext(List<CertificateSummary> certificates, List<String> authorities) {
        byte[] foreign = foreignSessionId;
        if (foreign != null) {
            if (clientAuthentication != ClientAuthentication.NONE) {
                throw new TlsConfigurationException(
                        "sessions of other servers cannot be shared with client" + " authentication "
                                + clientAuthentication + ": they may not have been through it; turn one off");
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
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
