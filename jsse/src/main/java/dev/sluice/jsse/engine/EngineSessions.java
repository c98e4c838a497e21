package dev.sluice.jsse.engine;

import dev.sluice.ffi.openssl.delegation.PeerOffer;
import dev.sluice.jsse.context.ContextProfile;
import dev.sluice.jsse.context.ContextState;
import dev.sluice.jsse.context.EngineRole;
import dev.sluice.jsse.engine.EngineParameters.SessionCreation;
import dev.sluice.jsse.session.KeyExporter;
import dev.sluice.jsse.session.ResumableSession;
import dev.sluice.jsse.session.ResumptionKey;
import dev.sluice.jsse.session.SessionCache;
import dev.sluice.jsse.session.SessionFacts;
import dev.sluice.jsse.session.SluiceSession;
import dev.sluice.tls.engine.HandshakeEngine;
import dev.sluice.tls.engine.TlsSession;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of one engine: the one that it offers to resume, the one that its handshake establishes, and those that
 * its peer's tickets make resumable. Guarded by the engine's lock.
 */
final class EngineSessions {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int ID_BYTES = 32;

    private final ContextState context;
    private final EngineParameters parameters;
    private final @Nullable String peerHost;
    private final int peerPort;
    private @Nullable ContextProfile profile;
    private @Nullable ResumableSession offered;
    private SluiceSession current;

    EngineSessions(ContextState context, EngineParameters parameters, @Nullable String peerHost, int peerPort) {
        this.context = context;
        this.parameters = parameters;
        this.peerHost = peerHost;
        this.peerPort = peerPort;
        this.current = SluiceSession.unestablished(SessionFacts.none(peerHost, peerPort));
    }

    /** Returns the engine's session: without a cipher suite before the handshake is complete. */
    SluiceSession current() {
        return current;
    }

    /** Returns the settings of the native context that a connection in this role needs, and keeps them. */
    ContextProfile settle(EngineRole role) {
        ContextProfile wanted = parameters.profile(role, context.sessions(role).getSessionTimeout());
        profile = wanted;
        return wanted;
    }

    /** Returns the name that a client sends by SNI; "" for none. */
    String serverName() {
        return parameters.serverNames(peerHost).stream()
                .filter(SNIHostName.class::isInstance)
                .map(name -> ((SNIHostName) name).getAsciiName())
                .findFirst()
                .orElse("");
    }

    /**
     * Returns the session that a client offers to resume, which the caller closes after use; null for none.
     *
     * @throws SSLHandshakeException when there is none, and new ones are not allowed
     */
    @Nullable
    ResumableSession offer() throws SSLHandshakeException {
        SessionCache known = context.sessions(EngineRole.CLIENT);
        ResumableSession found = isPeerKnown() ? known.find(resumptionKey()) : null;
        if (found == null && parameters.sessionCreation() == SessionCreation.FORBIDDEN) {
            throw new SSLHandshakeException("No existing session to resume, and new ones are not allowed by"
                    + " setEnableSessionCreation(false)");
        }
        offered = found;
        return found;
    }

    /** Returns whether sessions can be kept for the peer: by its host and port. */
    private boolean isPeerKnown() {
        return peerHost != null && peerPort >= 0;
    }

    private ResumptionKey resumptionKey() {
        return new ResumptionKey(
                peerHost == null ? "" : peerHost,
                peerPort,
                serverName(),
                Objects.requireNonNull(profile),
                parameters.endpointIdentification());
    }

    /**
     * Makes the session of a complete handshake.
     *
     * @param exporter of the connection's keying material
     * @throws SSLHandshakeException when the ticket of a resumed session holds no readable certificate
     */
    void establish(EngineRole role, HandshakeEngine libssl, HandshakeDecisions decisions, KeyExporter exporter)
            throws SSLHandshakeException {
        boolean resumed = Objects.requireNonNull(libssl.handshakeInfo()).resumed();
        ResumableSession from = offered;
        if (resumed) {
            decisions.takeCertificates(
                    knownPeer(libssl),
                    from == null ? List.of() : from.session().facts().local());
        }
        SessionFacts facts = decisions.facts();
        if (resumed && from != null) {
            current = from.session().resumed(facts, exporter);
        } else {
            current = SluiceSession.established(sessionId(libssl), facts, context.sessions(role), exporter);
            if (role == EngineRole.SERVER) {
                context.sessions(EngineRole.SERVER).add(current);
            }
        }
        offered = null;
    }

    /** Returns the peer's certificates of a resumed session: of the first connection, or what the ticket holds. */
    private List<X509Certificate> knownPeer(HandshakeEngine libssl) throws SSLHandshakeException {
        ResumableSession from = offered;
        if (from != null) {
            return from.session().facts().peer();
        }
        try {
            return List.of(HandshakeDecisions.parsed(PeerOffer.chain(libssl.ssl())));
        } catch (CertificateException e) {
            throw new SSLHandshakeException("the certificate of a resumed session cannot be read: " + e.getMessage());
        }
    }

    private static byte[] sessionId(HandshakeEngine libssl) {
        byte[] id = PeerOffer.sessionId(libssl.ssl());
        if (id.length == 0) {
            id = new byte[ID_BYTES];
            RANDOM.nextBytes(id);
        }
        return id;
    }

    /** Keeps what a later connection can resume, if sessions may be kept for this peer; takes ownership. */
    void keep(TlsSession resumable) {
        if (parameters.sessionCreation() == SessionCreation.ALLOWED && isPeerKnown()) {
            context.sessions(EngineRole.CLIENT).add(resumptionKey(), current, resumable);
        } else {
            resumable.close();
        }
    }
}
