package dev.sluice.ffi.libc;

/**
 * {@code struct tls12_crypto_info_*} of linux/tls.h, the value of {@link Constants#TLS_TX} and {@link
 * Constants#TLS_RX}, for the three supported ciphers. The kernel's name says 1.2; the version is a field.
 *
 * <pre>
 *   0         2        4          12          28        32        40
 *   +---------+--------+----------+-----------+---------+---------+
 *   | version | cipher | iv       | key       | salt    | rec_seq |            aes_gcm_128
 *   +---------+--------+----------+-----------+---------+---------+
 *   0         2        4          12                    44        48        56
 *   +---------+--------+----------+---------------------+---------+---------+
 *   | version | cipher | iv       | key                 | salt    | rec_seq |  aes_gcm_256
 *   +---------+--------+----------+---------------------+---------+---------+
 *   0         2        4                16                        48        56
 *   +---------+--------+----------------+-------------------------+---------+
 *   | version | cipher | iv             | key                     | rec_seq |  chacha20_poly1305
 *   +---------+--------+----------------+-------------------------+---------+
 * </pre>
 *
 * Version and cipher in native order; the record sequence number in network byte order.
 */
public final class TlsCryptoInfo {
    /** Offset of the version in all. */
    public static final int VERSION_OFFSET = 0;
    /** Offset of the cipher in all. */
    public static final int CIPHER_OFFSET = 2;
    /** Offset of the IV in all. */
    public static final int IV_OFFSET = 4;
    /** Bytes of the IV with AES-GCM: the part of the nonce behind the salt. */
    public static final int GCM_IV_BYTES = 8;
    /** Bytes of the salt with AES-GCM. */
    public static final int GCM_SALT_BYTES = 4;
    /** Offset of the key with AES-GCM. */
    public static final int GCM_KEY_OFFSET = 12;
    /** Offset of the salt with AES-128-GCM. */
    public static final int GCM_128_SALT_OFFSET = 28;
    /** Offset of the sequence number with AES-128-GCM. */
    public static final int GCM_128_SEQUENCE_OFFSET = 32;
    /** Size with AES-128-GCM. */
    public static final int GCM_128_BYTES = 40;
    /** Offset of the salt with AES-256-GCM. */
    public static final int GCM_256_SALT_OFFSET = 44;
    /** Offset of the sequence number with AES-256-GCM. */
    public static final int GCM_256_SEQUENCE_OFFSET = 48;
    /** Size with AES-256-GCM. */
    public static final int GCM_256_BYTES = 56;
    /** Bytes of the IV with ChaCha20-Poly1305, which has no salt. */
    public static final int CHACHA_IV_BYTES = 12;
    /** Offset of the key with ChaCha20-Poly1305. */
    public static final int CHACHA_KEY_OFFSET = 16;
    /** Offset of the sequence number with ChaCha20-Poly1305. */
    public static final int CHACHA_SEQUENCE_OFFSET = 48;
    /** Size with ChaCha20-Poly1305. */
    public static final int CHACHA_BYTES = 56;
    /** Size of the largest. */
    public static final int MAX_BYTES = 56;

    private TlsCryptoInfo() {}
}
