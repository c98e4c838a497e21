package dev.sluice.tls.lean;

import java.util.Locale;

/** The reasons for which a connection's handshake is done by libssl although the lean one is enabled. */
public enum FallbackReason {
    /** The ClientHello is malformed, fragmented, or followed by other bytes: libssl judges it. */
    FORM,
    /** The client does not offer TLS 1.3. */
    VERSION,
    /** The client offers a session to resume. */
    PRE_SHARED_KEY,
    /** The ClientHello has an extension that changes the handshake in a way not implemented here. */
    EXTENSION,
    /** The client sends an encrypted ClientHello, or GREASE in its place, and there are keys to open it. */
    ENCRYPTED_HELLO,
    /** The context for the server name cannot do a lean handshake, or there is none for it. */
    CONTEXT,
    /** The client and the context have no suite in common. */
    SUITE,
    /** The client sent no share for a group of the context: it has to be asked for one. */
    KEY_SHARE,
    /** The client's share is not a valid public key. */
    BAD_KEY_SHARE,
    /** The client accepts none of the certificates' signatures. */
    SIGNATURE,
    /** The client offers only other application protocols, or none where one is required. */
    ALPN,
    /** The flight, with its certificates, exceeds the buffer or a record. */
    SIZE,
    /** All buffers of the loop are in use. */
    BUFFERS;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** Returns the label in metrics, such as {@code pre_shared_key}. */
    public String label() {
        return label;
    }
}
