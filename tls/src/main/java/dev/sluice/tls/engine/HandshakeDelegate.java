package dev.sluice.tls.engine;

import org.jspecify.annotations.Nullable;

/**
 * The owner of a connection whose handshake asks it for decisions, inside {@link HandshakeEngine#handshake}. A decision
 * that takes long suspends the handshake, which then returns {@link EngineStatus#WANT_CERTIFICATE} or {@link
 * EngineStatus#WANT_VERIFICATION}, and asks again when it is continued.
 */
public interface HandshakeDelegate {
    /** An answer to libssl's questions. */
    enum Answer {
        /** Continue. */
        PROCEED,
        /** Suspend the handshake; a server cannot for {@link #onVerify}. */
        SUSPEND,
        /** Fail the handshake. */
        REFUSE
    }

    /**
     * Handles a ClientHello at a server.
     *
     * @param serverName the host name by SNI, lower case; "" for none
     * @return false to fail the handshake with the alert unrecognized_name
     */
    boolean onClientHello(String serverName);

    /**
     * Selects an application protocol at a server.
     *
     * @param offered address of the client's list, each name preceded by a length byte
     * @param length of the list, in bytes
     * @return the offset of the chosen one's length byte, or {@code HandshakeCallbacks.Target.NO_PROTOCOL} or REFUSE
     */
    int onAlpn(long offered, int length);

    /** Chooses our certificate. */
    Answer onCertificate();

    /**
     * Judges the peer's certificates.
     *
     * @param storeContext valid during the call; see {@code PeerOffer.chain}
     */
    Answer onVerify(long storeContext);

    /**
     * Signs with a private key of {@code SigningProvider}, as {@code HandshakeCallbacks.Target.onSign} does.
     *
     * @return the signature; null to fail the handshake
     */
    byte @Nullable [] onSign(long key, String digest, int padding, byte[] message);

    /**
     * Returns the OCSP response to staple to a certificate of ours, for a client that requests it.
     *
     * @param certificate address of the certificate that libssl has chosen
     * @return null for none
     */
    byte @Nullable [] onStatusRequest(long certificate);

    /** Returns the verification error ({@code X509_V_ERR_*}) of a refused peer, which decides on the alert. */
    int verificationError();

    /** Handles an exception of the methods above; the handshake fails. */
    void onThrown(Throwable thrown);
}
