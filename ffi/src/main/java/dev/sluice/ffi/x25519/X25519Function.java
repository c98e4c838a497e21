package dev.sluice.ffi.x25519;

/** An implementation of X25519 over byte strings in native memory: RFC 7748 sections 5 and 6.1. */
public interface X25519Function {
    /** The size of a secret key, a public key and a shared secret. */
    int BYTES = 32;

    /**
     * Creates a key pair, from random numbers of OpenSSL or the kernel.
     *
     * @param secretKey destination of {@link #BYTES} bytes, which the caller wipes
     * @param publicKey destination of {@link #BYTES} bytes
     */
    void generate(long secretKey, long publicKey);

    /**
     * Derives the secret that a key pair shares with a peer.
     *
     * @param secretKey address of {@link #BYTES} bytes
     * @param peer address of the peer's public key, of any {@link #BYTES} bytes
     * @param secret destination of {@link #BYTES} bytes, which the caller wipes
     * @return false when the peer's key is of low order, so that the secret would be all zeros (RFC 7748 section 6.1)
     */
    boolean derive(long secretKey, long peer, long secret);
}
