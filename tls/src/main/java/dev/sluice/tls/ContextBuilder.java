package dev.sluice.tls;

import static dev.sluice.ffi.openssl.OpenSslConstants.SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER;
import static dev.sluice.ffi.openssl.OpenSslConstants.SSL_MODE_ENABLE_PARTIAL_WRITE;
import static dev.sluice.ffi.openssl.OpenSslConstants.SSL_MODE_NO_AUTO_CHAIN;
import static dev.sluice.ffi.openssl.OpenSslConstants.SSL_MODE_RELEASE_BUFFERS;
import static dev.sluice.ffi.openssl.OpenSslConstants.SSL_OP_NO_COMPRESSION;
import static dev.sluice.ffi.openssl.OpenSslConstants.SSL_OP_NO_RENEGOTIATION;

import dev.sluice.ffi.openssl.OpenSsl;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.ffi.openssl.SslCtx;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What server and client contexts are both built from. Not thread-safe; {@link #build()} may be called again and makes
 * another context each time, as one per event loop.
 *
 * @param <B> the builder itself
 */
public abstract sealed class ContextBuilder<B extends ContextBuilder<B>>
        permits ServerContextBuilder, ClientContextBuilder {
    /** The groups wanted by default, most wanted first; those that OpenSSL lacks are passed over. */
    public static final List<String> DEFAULT_GROUPS = List.of("X25519MLKEM768", "X25519", "P-256", "P-384");

    /**
     * The suites of TLS 1.3 by default, most wanted first: AES-128 before AES-256, whose SHA-384 makes a handshake dearer and
     * which protects no better than the rest of it. A client that wants ChaCha20 most gets that.
     */
    public static final List<String> DEFAULT_CIPHER_SUITES =
            List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256");

    /** The suites of TLS 1.2 by default: forward secrecy and AEAD only, in the same order; see ciphers(1). */
    public static final String DEFAULT_CIPHER_LIST = "ECDHE+AESGCM+AES128:ECDHE+AESGCM:ECDHE+CHACHA20";

    /** The size of each ring of a {@link MemoryEngine} by default: one full record and room for an alert behind it. */
    public static final int DEFAULT_RING_BYTES = 17 * 1024;

    /** The smallest ring: the largest record that we write must fit, and an alert behind it. */
    public static final int MIN_RING_BYTES = 16_384 + 512;

    /** In their order: loaded for each context anew, or before. */
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

    ContextBuilder() {}

    /**
     * Adds a certificate with its key. Several kinds of key can stand side by side, such as ECDSA and RSA; each client gets
     * the best that it can verify.
     *
     * @param chain the certificate and the intermediates, in any order
     * @param key its private key, not encrypted
     */
    public B certificate(PemSource chain, PemSource key) {
        return certificate(IdentitySource.pem(chain, key));
    }

    /** Adds a certificate with its key from wherever they are. */
    public B certificate(IdentitySource source) {
        identities.add(new Held(() -> Identity.load(source), null));
        return self();
    }

    /** Adds a certificate with its key that has been loaded, and stays its owner's, who closes it after {@link #build()}. */
    public B certificate(Identity loaded) {
        identities.add(new Held(loaded::held, loaded));
        return self();
    }

    /** Adds a certificate with its key from PEM files. */
    public B certificate(Path chain, Path key) {
        return certificate(PemSource.file(chain), PemSource.file(key));
    }

    /**
     * Sets the application protocols, most wanted first. A server chooses by its own order, serves clients that offer
     * none at all, and ends the handshake of those that offer only others.
     */
    public B alpn(List<String> protocols) {
        this.alpn = List.copyOf(protocols);
        return self();
    }

    /** Sets application protocols of which one must be agreed on: a peer that does not speak ALPN is refused, too. */
    public B alpnRequired(List<String> protocols) {
        this.alpnRequired = true;
        return alpn(protocols);
    }

    /** The versions allowed. */
    public B versions(ProtocolVersion oldestAllowed, ProtocolVersion newestAllowed) {
        if (oldestAllowed.compareTo(newestAllowed) > 0) {
            throw new TlsConfigurationException("no TLS version is left: oldest=" + oldestAllowed + ", newest="
                    + newestAllowed + "; exchange the two");
        }
        this.oldest = oldestAllowed;
        this.newest = newestAllowed;
        return self();
    }

    /** The suites of TLS 1.2, in OpenSSL's cipher list format, see ciphers(1). */
    public B cipherList(String list) {
        this.cipherList = list;
        return self();
    }

    /** The suites of TLS 1.3 by IANA name, most wanted first; empty for OpenSSL's own choice and order. */
    public B cipherSuites(List<String> names) {
        this.cipherSuites = List.copyOf(names);
        return self();
    }

    /** Key-exchange groups, most wanted first. Those that OpenSSL lacks are passed over; one at least must be left. */
    public B groups(List<String> names) {
        this.groups = List.copyOf(names);
        return self();
    }

    /**
     * The size of each of a {@link MemoryEngine}'s two rings, in bytes. Larger ones carry more records per system call and
     * cost as much more memory per connection.
     */
    public B ringBytes(int bytes) {
        if (bytes < MIN_RING_BYTES) {
            throw new TlsConfigurationException(
                    "a ring must hold a whole record, ringBytes=" + bytes + "; give it at least " + MIN_RING_BYTES);
        }
        this.ringBytes = bytes;
        return self();
    }

    /** Danger: serves a certificate outside its validity, which clients will refuse. For tests of such clients. */
    public B dangerouslyAllowExpiredCertificate() {
        this.expiredAllowed = true;
        return self();
    }

    /**
     * Makes the context; reads the files now.
     *
     * @return the caller closes it
     * @throws TlsConfigurationException when something does not fit: names value, cause and remedy
     * @throws dev.sluice.ffi.openssl.OpenSslNotFoundException when no OpenSSL is found
     */
    public TlsContext build() {
        OpenSsl openSsl = OpenSsl.require();
        SslCtx context = newHandle();
        try {
            return new TlsContext(context, configure(openSsl, context));
        } catch (RuntimeException e) {
            context.close();
            throw e;
        }
    }

    private ContextSettings configure(OpenSsl openSsl, SslCtx context) {
        // Sent is what stands in the file: libssl would look for more among the authorities of clients, roots included.
        context.addMode(SSL_MODE_NO_AUTO_CHAIN
                | SSL_MODE_ENABLE_PARTIAL_WRITE
                | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER
                | SSL_MODE_RELEASE_BUFFERS);
        context.addOptions(SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
        context.versions(oldest.number(), newest.number());
        configureSuites(context);
        List<String> ignored = configureGroups(openSsl, context);
        List<CertificateSummary> certificates = useIdentities(context);
        AlpnList protocols = new AlpnList(alpn, alpnRequired);
        Special special = configureSpecial(context, certificates, protocols);
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
                ignored);
    }

    /** For a context that is made later: what was loaded stays until {@link #releaseLoaded}. */
    void holdLoaded() {
        for (Held each : identities) {
            Identity shared = each.shared();
            if (shared != null) {
                shared.held();
            }
        }
    }

    /** Undoes {@link #holdLoaded}. */
    void releaseLoaded() {
        for (Held each : identities) {
            Identity shared = each.shared();
            if (shared != null) {
                shared.close();
            }
        }
    }

    private List<CertificateSummary> useIdentities(SslCtx context) {
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
                    "unknown among the TLS 1.3 cipher suites " + cipherSuites
                            + "; see the names with: openssl ciphers -v -tls1_3 -s",
                    e);
        }
    }

    /** Offers OpenSSL one name at a time: 3.0 refuses a whole list for one unknown name. */
    private List<String> configureGroups(OpenSsl openSsl, SslCtx context) {
        List<String> known = groups.stream().filter(openSsl::supportsGroup).toList();
        if (known.isEmpty()) {
            throw new TlsConfigurationException("none of the groups " + groups + " is known to " + openSsl.version()
                    + "; use for example X25519 or P-256");
        }
        context.groups(groupsList(openSsl, known));
        return groups.stream().filter(name -> !known.contains(name)).toList();
    }

    /** Returns the groups as libssl takes them. */
    String groupsList(OpenSsl openSsl, List<String> known) {
        return String.join(":", known);
    }

    abstract SslCtx newHandle();

    /** What only a server or only a client needs. */
    abstract Special configureSpecial(SslCtx context, List<CertificateSummary> certificates, AlpnList protocols);

    abstract B self();

    /**
     * Where an identity is had from when a context is built.
     *
     * @param open what is closed when it is built
     * @param shared one that other contexts are made of too; null: it is this one's alone
     */
    private record Held(Supplier<Identity> open, @Nullable Identity shared) {}

    /**
     * What only a server or only a client decides.
     *
     * @param server whether it is for servers
     * @param verifyMode {@code SSL_VERIFY_*}
     * @param clients which clients a server lets in, of those that verify
     * @param tickets the tickets a server sends
     * @param earlyData how a server takes early data; null: it does not
     * @param staples what a server staples to its certificates
     * @param sessions what a server's sessions are made under
     */
    record Special(
            boolean server,
            int verifyMode,
            ClientNames clients,
            TicketPolicy tickets,
            @Nullable EarlyDataPolicy earlyData,
            Staples staples,
            SessionContext sessions) {}
}
