package dev.sluice.doctor;

import dev.sluice.ffi.openssl.EvpCipher;
import dev.sluice.ffi.openssl.EvpCipherCtx;
import dev.sluice.ffi.openssl.raw.LibCryptoAead;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The speed at which OpenSSL seals here: the best of a few short runs, since other processes share the processor. */
final class SealingSpeed {
    private static final int KEY_BYTES = 32;
    private static final int NONCE_BYTES = 16;
    private static final int RUNS = 5;
    private static final long RUN_NANOS = 15_000_000;
    private static final int SEALS_BETWEEN_LOOKS = 16;

    private SealingSpeed() {}

    /**
     * Measures for about 75 ms.
     *
     * @param cipher OpenSSL's name of an AEAD
     * @return nanoseconds to seal so many bytes in place under a loaded key
     */
    static double nanosPerSeal(String cipher, int bytes) {
        try (EvpCipher fetched = EvpCipher.fetch(cipher);
                EvpCipherCtx context = EvpCipherCtx.sealing(fetched);
                Arena arena = Arena.ofConfined()) {
            MemorySegment key = arena.allocate(KEY_BYTES);
            MemorySegment nonce = arena.allocate(NONCE_BYTES);
            MemorySegment text = arena.allocate(bytes + NONCE_BYTES);
            long length = arena.allocate(Integer.BYTES, Integer.BYTES).address();
            LibCryptoAead.EVP_EncryptInit_ex(context.address(), 0, 0, key.address(), nonce.address());
            double best = Double.MAX_VALUE;
            for (int run = 0; run < RUNS; run++) {
                best = Math.min(best, run(context.address(), nonce.address(), text.address(), length, bytes));
            }
            return best;
        }
    }

    private static double run(long context, long nonce, long text, long length, int bytes) {
        long began = System.nanoTime();
        long seals = 0;
        long now = began;
        while (now - began < RUN_NANOS) {
            for (int i = 0; i < SEALS_BETWEEN_LOOKS; i++) {
                LibCryptoAead.EVP_EncryptInit_ex(context, 0, 0, 0, nonce);
                LibCryptoAead.EVP_EncryptUpdate(context, text, length, text, bytes);
                LibCryptoAead.EVP_EncryptFinal_ex(context, text + bytes, length);
            }
            seals += SEALS_BETWEEN_LOOKS;
            now = System.nanoTime();
        }
        return (double) (now - began) / seals;
    }
}
