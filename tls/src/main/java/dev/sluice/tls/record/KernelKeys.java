package dev.sluice.tls.record;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.libc.TlsCryptoInfo;

/**
 * The keys of one direction in the format of kernel TLS: a {@link TlsCryptoInfo} built from {@link TrafficKeys}.
 *
 * <p>With AES-GCM the kernel's salt is the first 4 bytes of the nonce and its IV the other 8: the rest of the IV in TLS
 * 1.3, the next explicit nonce in TLS 1.2.
 */
public final class KernelKeys {
    private KernelKeys() {}

    /**
     * Writes the keys of one direction.
     *
     * @param keys the direction's {@link TrafficKeys}
     * @param to destination of {@link TlsCryptoInfo#MAX_BYTES}; then secret, and wiped by the caller
     * @return bytes written
     */
    public static int write(CipherSuite suite, long keys, long to) {
        RawMemory.zero(to, TlsCryptoInfo.MAX_BYTES);
        int version = suite.isTls13() ? Constants.TLS_1_3_VERSION : Constants.TLS_1_2_VERSION;
        RawMemory.putShort(to + TlsCryptoInfo.VERSION_OFFSET, (short) version);
        RawMemory.putShort(to + TlsCryptoInfo.CIPHER_OFFSET, (short) cipher(suite.aead()));
        return switch (suite.aead()) {
            case AES_128_GCM ->
                gcm(suite, keys, to, TlsCryptoInfo.GCM_128_SALT_OFFSET, TlsCryptoInfo.GCM_128_SEQUENCE_OFFSET);
            case AES_256_GCM ->
                gcm(suite, keys, to, TlsCryptoInfo.GCM_256_SALT_OFFSET, TlsCryptoInfo.GCM_256_SEQUENCE_OFFSET);
            case CHACHA20_POLY1305 -> chacha(suite, keys, to);
        };
    }

    private static int cipher(Aead aead) {
        return switch (aead) {
            case AES_128_GCM -> Constants.TLS_CIPHER_AES_GCM_128;
            case AES_256_GCM -> Constants.TLS_CIPHER_AES_GCM_256;
            case CHACHA20_POLY1305 -> Constants.TLS_CIPHER_CHACHA20_POLY1305;
        };
    }

    private static int gcm(CipherSuite suite, long keys, long to, int saltOffset, int sequenceOffset) {
        long iv = TrafficKeys.ivAddress(keys);
        int keyBytes = suite.aead().keyBytes();
        RawMemory.copy(iv, to + saltOffset, TlsCryptoInfo.GCM_SALT_BYTES);
        if (suite.isTls13()) {
            RawMemory.copy(iv + TlsCryptoInfo.GCM_SALT_BYTES, to + TlsCryptoInfo.IV_OFFSET, TlsCryptoInfo.GCM_IV_BYTES);
        } else {
            long next = TrafficKeys.explicitNonceBase(keys) + TrafficKeys.sequence(keys);
            RawMemory.putLong(to + TlsCryptoInfo.IV_OFFSET, Long.reverseBytes(next));
        }
        RawMemory.copy(TrafficKeys.keyAddress(keys), to + TlsCryptoInfo.GCM_KEY_OFFSET, keyBytes);
        return sequence(keys, to, sequenceOffset);
    }

    private static int chacha(CipherSuite suite, long keys, long to) {
        RawMemory.copy(TrafficKeys.ivAddress(keys), to + TlsCryptoInfo.IV_OFFSET, TlsCryptoInfo.CHACHA_IV_BYTES);
        RawMemory.copy(
                TrafficKeys.keyAddress(keys),
                to + TlsCryptoInfo.CHACHA_KEY_OFFSET,
                suite.aead().keyBytes());
        return sequence(keys, to, TlsCryptoInfo.CHACHA_SEQUENCE_OFFSET);
    }

    private static int sequence(long keys, long to, int offset) {
        RawMemory.putLong(to + offset, Long.reverseBytes(TrafficKeys.sequence(keys)));
        return offset + Long.BYTES;
    }
}
