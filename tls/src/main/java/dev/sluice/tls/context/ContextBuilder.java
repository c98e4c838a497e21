package dev.sluice.tls.context;

import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL_MODE_ENABLE_PARTIAL_WRITE;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL_MODE_NO_AUTO_CHAIN;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL_MODE_RELEASE_BUFFERS;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL_OP_NO_COMPRESSION;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL_OP_NO_RENEGOTIATION;

import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.ffi.openssl.PinnedKeys;
import dev.sluice.ffi.openssl.SslCtx;
import dev.sluice.ffi.openssl.raw.OpenSsl;
import dev.sluice.tls.certificate.CertificateSummary;
import dev.sluice.tls.certificate.ClientNames;
import dev.sluice.tls.certificate.Identity;
import dev.sluice.tls.certificate.IdentitySource;
import dev.sluice.tls.certificate.PemSource;
import dev.sluice.tls.certificate.Staples;
import dev.sluice.tls.ech.EchKeyRing;
import dev.sluice.tls.engine.MemoryEngine;
import dev.sluice.tls.failure.TlsConfigurationException;
import dev.sluice.tls.lean.LeanContext;
import dev.sluice.tls.lean.LeanIdentity;
import dev.sluice.tls.ticket.TicketPolicy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The common builder of server and client contexts. Not thread-safe; each call of {@link #build()} creates another
 * context, such as one per event loop.
 *
 * @param <B> the builder itself
 */
public abstract sealed class ContextBuilder<B extends ContextBuilder<B>>
        permits ServerContextBuilder, ClientContextBuilder, DelegatedContextBuilder {
    /** The default groups by preference; groups that OpenSSL lacks are skipped. */
    public static final List<String> DEFAULT_GROUPS = List.of("X25519MLKEM768", "X25519", "P-256", "P-384");

    /**
     * The default suites of TLS 1.3 by preference: AES-128 before AES-256, whose SHA-384 makes a handshake more
     * expensive without protecting better than the rest of it. A client that prefers ChaCha20 gets it.
     */
    public static final List<String> DEFAULT_CIPHER_SUITES =
            List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256");

    /** The default suites of TLS 1.2: forward secrecy and AEAD only, in the same order; see ciphers(1). */
    public static final String DEFAULT_CIPHER_LIST = "ECDHE+AESGCM+AES128:ECDHE+AESGCM:ECDHE+CHACHA20";

    /** The default size of each ring of a {@link MemoryEngine}: one full record and an alert after it. */
    public static final int DEFAULT_RING_BYTES = 17 * 1024;

    /** The smallest ring: the largest record that we write, and an alert after it. */
    public static final int MIN_RING_BYTES = 16_384 + 512;

    /** The identities in order: loaded per context, or in advance. */
    private final List<Held> identities = new ArrayList<>();

    private List<String> alpn = List.of();
    private boolean alpnRequired;
    private ProtocolVersion oldest = ProtocolVersion.TLS_1_2;
    private ProtocolVersion newest = ProtocolVersion.TLS_1_3;
    private String cipherList = DEFAULT_CIPHER_LIST;
    private List<String> cipherSuites = DEFAULT_CIPHER_SUITES;
    private List<String> groups = DEFAULT_GROUPS;
    private int ringBytes = DEFAULT_RING_BYTES;
    private boolean expiredAllowed;
    private boolean peerChainKept;
    private @Nullable PinnedKeys pinned;

    ContextBuilder() {}

    /**
     * Adds a certificate with its key. Several key types can coexist, such as ECDSA and RSA; each client gets the best
     * that it supports.
     *
     * @param chain the certificate and the intermediates, in any order
     * @param key its private key, unencrypted
     */
    public B certificate(PemSource chain, PemSource key) {
        return certificate(IdentitySource.pem(chain, key));
    }

    /** Adds a certificate with its key from any source. */
    public B certificate(IdentitySource source) {
        identities.add(new Held(() -> Identity.load(source), null));
        return self();
    }

    /** Adds a loaded certificate with its key, which the caller keeps and closes after {@link #build()}. */
    public B certificate(Identity loaded) {
        identities.add(new Held(loaded::held, loaded));
        return self();
    }

    /** Adds a certificate with its key from PEM files. */
    public B certificate(Path chain, Path key) {
        return certificate(PemSource.file(chain), PemSource.file(key));
    }

    /**
     * Sets the application protocols by preference. A server chooses by its own order, accepts clients without ALPN,
     * and rejects clients that offer only other protocols.
     */
    public B alpn(List<String> protocols) {
        this.alpn = List.copyOf(protocols);
        return self();
    }

    /** Sets the application protocols and requires one of them: a peer without ALPN is rejected too. */
    public B alpnRequired(List<String> protocols) {
        this.alpnRequired = true;
        return alpn(protocols);
    }

    /** Sets the allowed protocol versions. */
    public B versions(ProtocolVersion oldestAllowed, ProtocolVersion newestAllowed) {
        if (oldestAllowed.compareTo(newestAllowed) > 0) {
            throw new TlsConfigurationException("no TLS version is allowed: oldest=" + oldestAllowed + ", newest="
                    + newestAllowed + "; swap the two");
        }
        this.oldest = oldestAllowed;
        this.newest = newestAllowed;
        return self();
    }

    /** Sets the suites of TLS 1.2, in OpenSSL's cipher list format, see ciphers(1). */
    public B cipherList(String list) {
        this.cipherList = list;
        return self();
    }

    /** Sets the suites of TLS 1.3 by IANA name and preference; empty for OpenSSL's default. */
    public B cipherSuites(List<String> names) {
        this.cipherSuites = List.copyOf(names);
        return self();
    }

    /** Sets the key-exchange groups by preference. Groups that OpenSSL lacks are skipped; at least one must remain. */
    public B groups(List<String> names) {
        this.groups = List.copyOf(names);
        return self();
    }

    /**
     * Sets the size of each of a {@link MemoryEngine}'s two rings, in bytes. Larger rings carry more records per system
     * call and use more memory per connection.
     */
    public B ringBytes(int bytes) {
        if (bytes < MIN_RING_BYTES) {
            throw new TlsConfigurationException(
                    "a ring must hold a whole record, ringBytes=" + bytes + "; use at least " + MIN_RING_BYTES);
        }
        this.ringBytes = bytes;
        return self();
    }

    /** Keeps the certificates that a peer sends for the handshake's result, at the cost of an encoding of each. */
    public B keepPeerChain() {
        this.peerChainKept = true;
        return self();
    }

    /**
     * Requires a certificate of each peer and accepts it by its public key alone: no authority, name or date counts.
     * The keys must outlive the context's connections.
     */
    public B pinnedKeys(PinnedKeys keys) {
        this.pinned = keys;
        return self();
    }

    /** Returns whether peers are verified by {@link #pinnedKeys}. */
    boolean isPinned() {
        return pinned != null;
    }

    /** Allows a certificate outside its validity, which clients will reject; dangerous. For tests of such clients. */
    public B dangerouslyAllowExpiredCertificate() {
        this.expiredAllowed = true;
        return self();
    }

    /**
     * Builds the context; reads the files now.
     *
     * @return the caller closes it
     * @throws TlsConfigurationException with value, cause and remedy
     * @throws dev.sluice.ffi.openssl.raw.OpenSslNotFoundException when no OpenSSL is found
     */
    public TlsContext build() {
        OpenSsl openSsl = OpenSsl.require();
        SslCtx context = newHandle();
        try {
            return new TlsContext(context, configure(openSsl, context));
        } catch (Throwable e) {
            context.close();
            throw e;
        }
    }

    private ContextSettings configure(OpenSsl openSsl, SslCtx context) {
        // Only the configured chain is sent: libssl would otherwise add client authorities, including roots.
        context.addMode(SSL_MODE_NO_AUTO_CHAIN
                | SSL_MODE_ENABLE_PARTIAL_WRITE
                | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER
                | SSL_MODE_RELEASE_BUFFERS);
        context.addOptions(SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
        context.versions(oldest.number(), newest.number());
        configureSuites(context);
        List<String> ignored = configureGroups(openSsl, context);
        List<LeanIdentity> lean = new ArrayList<>();
        try {
            return configure(openSsl, context, ignored, lean);
        } catch (Throwable e) {
            lean.forEach(LeanIdentity::close);
            throw e;
        }
    }

    /**
     * Configures what depends on the certificates.
     *
     * @param lean receives them for the lean handshake, if that is wanted
     */
    private ContextSettings configure(
            OpenSsl openSsl, SslCtx context, List<String> ignoredGroups, List<LeanIdentity> lean) {
        List<CertificateSummary> certificates = useIdentities(context, lean);
        AlpnList protocols = new AlpnList(alpn, alpnRequired);
        Special special = configureSpecial(context, certificates, protocols);
        if (pinned != null) {
            pinned.useIn(context);
        }
        return new ContextSettings(
                special.server(),
                special.verifyMode(),
                special.clients(),
                oldest,
                newest,
                special.tickets(),
                special.earlyData(),
                special.staples(),
                special.sessions(),
                protocols,
                ringBytes,
                List.copyOf(certificates),
                ignoredGroups,
                peerChainKept,
                isLean() ? leanContext(openSsl, context, lean, special) : null,
                special.ech());
    }

    /** Keeps the loaded identities until {@link #releaseLoaded}, for a context that is built later. */
    void holdLoaded() {
        for (Held each : identities) {
            Identity shared = each.shared();
            if (shared != null) {
                shared.held();
            }
        }
    }

    /** Releases the identities kept by {@link #holdLoaded}. */
    void releaseLoaded() {
        for (Held each : identities) {
            Identity shared = each.shared();
            if (shared != null) {
                shared.close();
            }
        }
    }

    private List<CertificateSummary> useIdentities(SslCtx context, List<LeanIdentity> lean) {
        List<CertificateSummary> certificates = new ArrayList<>();
        for (Held each : identities) {
            try (Identity identity = each.open().get()) {
                if (!expiredAllowed) {
                    identity.requireValid();
                }
                if (each.shared() == null) {
                    identity.useIn(context);
                } else {
                    identity.useCopyIn(context);
                }
                if (isLean()) {
                    lean.add(identity.leanIn(context));
                }
                certificates.add(identity.summary());
            }
        }
        return certificates;
    }

    private void configureSuites(SslCtx context) {
        try {
            context.cipherList(cipherList);
        } catch (OpenSslException e) {
            throw new TlsConfigurationException(
                    "no TLS 1.2 cipher suite matches the list \"" + cipherList
                            + "\"; see the names with: openssl ciphers -v -tls1_2",
                    e);
        }
        if (cipherSuites.isEmpty()) {
            return;
        }
        try {
            context.cipherSuites(String.join(":", cipherSuites));
        } catch (OpenSslException e) {
            throw new TlsConfigurationException(
                    "unknown name in the TLS 1.3 cipher suites " + cipherSuites
                            + "; see the names with: openssl ciphers -v -tls1_3 -s",
                    e);
        }
    }

    /** Adds the groups one by one: OpenSSL 3.0 rejects a whole list for one unknown name. */
    private List<String> configureGroups(OpenSsl openSsl, SslCtx context) {
        List<String> known = knownGroups(openSsl);
        if (known.isEmpty()) {
            throw new TlsConfigurationException("none of the groups " + groups + " is known to " + openSsl.version()
                    + "; use for example X25519 or P-256");
        }
        context.groups(groupsList(openSsl, known));
        return groups.stream().filter(name -> !known.contains(name)).toList();
    }

    /** Returns the group list in libssl's format. */
    String groupsList(OpenSsl openSsl, List<String> known) {
        return String.join(":", known);
    }

    /** Returns whether the lean handshake is wanted. */
    boolean isLean() {
        return false;
    }

    /**
     * Returns the settings of the lean handshake; null when it lacks one of the context's.
     *
     * @param identities owned by the result
     */
    @Nullable
    LeanContext leanContext(OpenSsl openSsl, SslCtx context, List<LeanIdentity> identities, Special special) {
        return null;
    }

    /** Returns the groups that this OpenSSL knows, by preference. */
    List<String> knownGroups(OpenSsl openSsl) {
        return groups.stream().filter(openSsl::supportsGroup).toList();
    }

    /** Returns the suites of TLS 1.3 by preference. */
    List<String> suites13() {
        return cipherSuites;
    }

    /** Returns the newest version allowed. */
    ProtocolVersion newest() {
        return newest;
    }

    abstract SslCtx newHandle();

    /** Configures the settings specific to servers or clients. */
    abstract Special configureSpecial(SslCtx context, List<CertificateSummary> certificates, AlpnList protocols);

    abstract B self();

    /**
     * An identity to use when a context is built.
     *
     * @param open closed after the build
     * @param shared an identity shared with other contexts; null for an unshared one
     */
    private record Held(Supplier<Identity> open, @Nullable Identity shared) {}

    /**
     * The settings specific to servers or clients.
     *
     * @param server true for servers
     * @param verifyMode {@code SSL_VERIFY_*}
     * @param clients the verified clients that a server authorizes
     * @param tickets the tickets that a server sends
     * @param earlyData the early-data policy of a server; null to reject early data
     * @param staples the responses that a server staples
     * @param sessions the id context of a server's sessions
     * @param ech the keys for Encrypted ClientHello of a server; null to ignore it
     */
    record Special(
            boolean server,
            int verifyMode,
            ClientNames clients,
            TicketPolicy tickets,
            @Nullable EarlyDataPolicy earlyData,
            Staples staples,
            SessionContext sessions,
            @Nullable EchKeyRing ech) {}
}
