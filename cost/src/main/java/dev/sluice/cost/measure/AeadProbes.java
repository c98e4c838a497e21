package dev.sluice.cost.measure;

import dev.sluice.cost.figures.Figure.Unit;
import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.EvpCipher;
import dev.sluice.ffi.openssl.EvpCipherCtx;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.ffi.openssl.raw.LibCryptoAead;
import dev.sluice.tls.record.Aead;
import dev.sluice.tls.record.CipherSuite;
import dev.sluice.tls.record.ContentType;
import dev.sluice.tls.record.KeySchedule;
import dev.sluice.tls.record.RecordProtector;
import dev.sluice.tls.record.TrafficKeys;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The third phase: the cost of a record. Three figures for each suite and size: the cipher alone ({@code evp}, as in
 * {@code openssl speed -evp}), and a whole TLS 1.3 record sealed and opened in place by our record layer.
 */
final class AeadProbes {
    /** Record payloads in bytes. */
    static final List<Integer> SIZES = List.of(64, 256, 1024, 4096, 16_384);

    /** The suites of TLS 1.3; those of TLS 1.2 use the same ciphers. */
    static final List<CipherSuite> SUITES = List.of(
            CipherSuite.TLS_AES_128_GCM_SHA256,
            CipherSuite.TLS_AES_256_GCM_SHA384,
            CipherSuite.TLS_CHACHA20_POLY1305_SHA256);

    private AeadProbes() {}

    /** Returns the name of a suite's cipher in figures: {@code aes-128-gcm}. */
    static String path(CipherSuite suite) {
        return suite.aead().opensslName().toLowerCase(Locale.ROOT);
    }

    static List<Probe> all(CpuClock clock) {
        List<Probe> probes = new ArrayList<>();
        for (CipherSuite suite : SUITES) {
            for (int size : SIZES) {
                String path = "aead/" + path(suite) + "/" + size;
                probes.add(new OperationProbe(path + "/evp", Unit.NANOSECONDS, new Bare(suite, size), clock));
                probes.add(new OperationProbe(path + "/seal", Unit.NANOSECONDS, new Seal(suite, size), clock));
                probes.add(new OpenProbe(suite, size, path + "/open", clock));
            }
        }
        return probes;
    }

    /**
     * The cipher alone, with the calls of {@code openssl speed -evp}: AES-GCM gets its key and nonce anew each time and
     * is finished; ChaCha20-Poly1305 runs one continuous stream.
     */
    private static final class Bare implements OperationProbe.Operation {
        private static final int KEY_BYTES = 32;

        private final MallocAllocator allocator = new MallocAllocator();
        private final EvpCipher cipher;
        private final EvpCipherCtx context;
        private final MemorySegment keyAndNonce = allocator.allocate(2L * KEY_BYTES, KEY_BYTES);
        private final MemorySegment text;
        private final int size;
        private final boolean anew;
        private final long key = keyAndNonce.address();
        private final long nonce = key + KEY_BYTES;
        private final long outLength = nonce + 16;

        Bare(CipherSuite suite, int size) {
            this.size = size;
            this.anew = suite.aead() != Aead.CHACHA20_POLY1305;
            this.text = allocator.allocate(size, 64);
            this.cipher = EvpCipher.fetch(suite.aead().opensslName());
            this.context = EvpCipherCtx.sealing(cipher);
            LibCryptoAead.EVP_EncryptInit_ex(context.address(), 0, 0, key, nonce);
        }

        @Override
        public void run() {
            if (anew ? !whole() : update() != 1) {
                throw OpenSslException.drained("encrypting " + size + " bytes failed");
            }
        }

        private boolean whole() {
            return context.nonceBytes(Aead.NONCE_BYTES)
                    && LibCryptoAead.EVP_EncryptInit_ex(context.address(), 0, 0, key, nonce) == 1
                    && update() == 1
                    && LibCryptoAead.EVP_EncryptFinal_ex(context.address(), text.address() + size, outLength) == 1;
        }

        private int update() {
            return LibCryptoAead.EVP_EncryptUpdate(context.address(), text.address(), outLength, text.address(), size);
        }

        @Override
        public void close() {
            context.close();
            cipher.close();
            allocator.free(keyAndNonce);
            allocator.free(text);
        }
    }

    /** A protector with keys, and memory for one record. */
    private static final class Sealing implements AutoCloseable {
        private final MallocAllocator allocator = new MallocAllocator();
        private final RecordProtector protector;
        private final MemorySegment keys = allocator.allocate(TrafficKeys.BYTES, Long.BYTES);
        private final MemorySegment record;
        private final int size;

        Sealing(CipherSuite suite, int size) {
            this.size = size;
            this.record =
                    allocator.allocate(RecordProtector.HEADER_BYTES + size + (long) RecordProtector.TRAILER_BYTES, 64);
            this.protector = new RecordProtector(suite.aead(), allocator);
            try (KeySchedule schedule = new KeySchedule(allocator)) {
                schedule.deriveKeys(suite, keys.address());
            }
        }

        int seal() {
            long payload = record.address() + RecordProtector.HEADER_BYTES;
            return protector.seal(keys.address(), payload, size, ContentType.APPLICATION_DATA);
        }

        /** Opens the last sealed record in place. */
        void open(int recordBytes) {
            TrafficKeys.sequence(keys.address(), TrafficKeys.sequence(keys.address()) - 1);
            if (protector.open(keys.address(), record.address(), recordBytes) < 0) {
                throw new IllegalStateException("a sealed record of " + size + " bytes does not open");
            }
        }

        @Override
        public void close() {
            protector.close();
            allocator.free(keys);
            allocator.free(record);
        }
    }

    /** The sealing of a record in place. */
    private static final class Seal implements OperationProbe.Operation {
        private final Sealing sealing;

        Seal(CipherSuite suite, int size) {
            this.sealing = new Sealing(suite, size);
        }

        @Override
        public void run() {
            sealing.seal();
        }

        @Override
        public void close() {
            sealing.close();
        }
    }

    /**
     * The opening of a record in place. It can be opened once, so a sealed copy is restored each time; the time of the
     * copy is measured and subtracted.
     */
    private static final class OpenProbe implements Probe {
        private final Sealing sealing;
        private final MallocAllocator allocator = new MallocAllocator();
        private final MemorySegment kept;
        private final int recordBytes;
        private final OperationProbe both;
        private final OperationProbe copying;

        OpenProbe(CipherSuite suite, int size, String path, CpuClock clock) {
            this.sealing = new Sealing(suite, size);
            this.recordBytes = sealing.seal();
            this.kept = allocator.allocate(recordBytes, 64);
            RawMemory.copy(sealing.record.address(), kept.address(), recordBytes);
            OperationProbe.Operation copyAndOpen = OperationProbe.Operation.of(
                    () -> {
                        copy();
                        sealing.open(recordBytes);
                    },
                    this::free);
            this.both = new OperationProbe(path, Unit.NANOSECONDS, copyAndOpen, clock);
            this.copying = new OperationProbe(
                    path, Unit.NANOSECONDS, OperationProbe.Operation.of(this::copy, () -> {}), clock);
        }

        private void copy() {
            RawMemory.copy(kept.address(), sealing.record.address(), recordBytes);
        }

        @Override
        public List<Name> names() {
            return both.names();
        }

        @Override
        public double[] round(long nanos) {
            double copy = copying.round(nanos / 4)[0];
            return new double[] {Math.max(0, both.round(nanos * 3 / 4)[0] - copy)};
        }

        private void free() {
            sealing.close();
            allocator.free(kept);
        }

        @Override
        public void close() {
            both.close();
        }
    }
}
