package dev.sluice.ffi.openssl.digest;

import dev.sluice.ffi.openssl.raw.LibCryptoHandshake;

/**
 * The hash functions SHA-256 and SHA-384 over state in the caller's memory: a copy of the state continues on its own,
 * and no call allocates. The caller wipes the memory where a message is secret.
 */
public enum Sha2 {
    /** SHA-256: 32 bytes, in blocks of 64. */
    SHA_256(32, 64, 112),
    /** SHA-384: 48 bytes, in blocks of 128. */
    SHA_384(48, 128, 216);

    /** The size of the largest state. */
    public static final int MAX_STATE_BYTES = 216;

    /** The size of the largest block. */
    public static final int MAX_BLOCK_BYTES = 128;

    private final int bytes;
    private final int blockBytes;
    private final int stateBytes;

    Sha2(int bytes, int blockBytes, int stateBytes) {
        this.bytes = bytes;
        this.blockBytes = blockBytes;
        this.stateBytes = stateBytes;
    }

    /** Returns whether this OpenSSL has the functions; one built without deprecated functions lacks them. */
    public static boolean isAvailable() {
        return LibCryptoHandshake.hasHashes();
    }

    /** Returns the size of a hash. */
    public int bytes() {
        return bytes;
    }

    /** Returns the size of the blocks that HMAC pads its key to. */
    public int blockBytes() {
        return blockBytes;
    }

    /** Returns the size of the state: {@code SHA256_CTX} or {@code SHA512_CTX} of openssl/sha.h. */
    public int stateBytes() {
        return stateBytes;
    }

    /** Starts a message. */
    public void start(long state) {
        check(this == SHA_256 ? LibCryptoHandshake.SHA256_Init(state) : LibCryptoHandshake.SHA384_Init(state));
    }

    /** Adds bytes to the message. */
    public void update(long state, long address, long length) {
        check(
                this == SHA_256
                        ? LibCryptoHandshake.SHA256_Update(state, address, length)
                        : LibCryptoHandshake.SHA384_Update(state, address, length));
    }

    /** Writes the hash of the message; the state then holds nothing of use. */
    public void finish(long state, long out) {
        check(
                this == SHA_256
                        ? LibCryptoHandshake.SHA256_Final(out, state)
                        : LibCryptoHandshake.SHA384_Final(out, state));
    }

    private static void check(int result) {
        if (result != 1) {
            throw new IllegalStateException("SHA-2 of OpenSSL failed on valid memory");
        }
    }
}
