package dev.sluice.tls.record;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.EvpCipher;
import dev.sluice.ffi.openssl.EvpCipherCtx;
import dev.sluice.ffi.openssl.raw.LibCryptoAead;
import dev.sluice.ffi.openssl.raw.OpenSsl;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * A measurement of opening a record in two buffers: both pieces copied into a third and opened there, or opened in
 * place by two updates. A main, not a test; prints nanoseconds per record, medians of interleaved rounds.
 *
 * <pre>java --enable-native-access=ALL-UNNAMED -cp {memory,ffi,tls}/target/classes:tls/target/test-classes \
 *     [-Dsluice.openssl=DIR] dev.sluice.tls.record.ScatteredOpenTiming</pre>
 */
public final class ScatteredOpenTiming {
    private static final int ROUNDS = 21;
    private static final int AAD_BYTES = 5;

    private final MallocAllocator allocator = new MallocAllocator();
    private final MemorySegment memory = allocator.allocate(256 * 1024, 4096);
    private final long first = memory.address() + 4096;
    private final long second = first + 65_536;
    private final long whole = second + 65_536;
    private final long nonce = memory.address();
    private final long key = nonce + 64;
    private final long tag = nonce + 128;
    private final EvpCipherCtx context = EvpCipherCtx.opening(EvpCipher.fetch("AES-128-GCM"));

    private final TagParameter tagParameter = new TagParameter(allocator);

    private ScatteredOpenTiming() {
        LibCryptoAead.EVP_DecryptInit_ex(context.address(), 0, 0, key, nonce);
    }

    /** Runs the measurement. */
    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) {
        ScatteredOpenTiming timing = new ScatteredOpenTiming();
        System.out.println(OpenSsl.require().version());
        for (int bytes : new int[] {1_024, 4_096, 16_384}) {
            timing.measure(bytes);
        }
    }

    @SuppressWarnings("SystemOut")
    private void measure(int bytes) {
        int records = 100_000_000 / (bytes + 2_000);
        double[] assembled = new double[ROUNDS];
        double[] incremental = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            assembled[round] = nanos(records, () -> assemble(bytes));
            incremental[round] = nanos(records, () -> update(bytes));
        }
        Arrays.sort(assembled);
        Arrays.sort(incremental);
        double a = assembled[ROUNDS / 2];
        double i = incremental[ROUNDS / 2];
        System.out.printf("%6d bytes: assembled %6.0f ns, incremental %6.0f ns, ratio %.3f%n", bytes, a, i, i / a);
    }

    private static double nanos(int records, Runnable one) {
        long begin = System.nanoTime();
        for (int i = 0; i < records; i++) {
            one.run();
        }
        return (System.nanoTime() - begin) / (double) records;
    }

    private void assemble(int bytes) {
        int half = bytes / 2 - 3;
        RawMemory.copy(first, whole, half);
        RawMemory.copy(second, whole + half, bytes - half);
        begin();
        LibCryptoAead.EVP_DecryptUpdate(context.address(), whole, nonce + 16, whole, bytes);
        end();
    }

    private void update(int bytes) {
        int half = bytes / 2 - 3; // pieces end anywhere, not between cipher blocks
        begin();
        LibCryptoAead.EVP_DecryptUpdate(context.address(), first, nonce + 16, first, half);
        LibCryptoAead.EVP_DecryptUpdate(context.address(), second, nonce + 16, second, bytes - half);
        end();
    }

    private void begin() {
        LibCryptoAead.EVP_DecryptInit_ex2(context.address(), 0, 0, nonce, tagParameter.at(tag));
        LibCryptoAead.EVP_DecryptUpdate(context.address(), 0, nonce + 16, nonce, AAD_BYTES);
    }

    /** Completes the operation. The tag is always wrong here: comparing costs the same. */
    private void end() {
        LibCryptoAead.EVP_DecryptFinal_ex(context.address(), tag, nonce + 16);
    }
}
