package dev.sluice.tls.record;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Wycheproof's AEAD vectors, valid and forged, applied to the contexts of record protection. */
final class AeadVectorsTest {
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Vector(
            Aead aead,
            String id,
            byte[] key,
            byte[] iv,
            byte[] aad,
            byte[] msg,
            byte[] ct,
            byte[] tag,
            boolean valid) {}

    @Test
    void matchesTheVectorsAndReleasesNothingForged() throws IOException {
        List<Vector> vectors = vectors();
        assertThat(vectors).hasSizeGreaterThan(300);
        long keyId = 0;
        try (AeadContext aes128 = AeadContext.of(Aead.AES_128_GCM, new MallocAllocator());
                AeadContext aes256 = AeadContext.of(Aead.AES_256_GCM, new MallocAllocator());
                AeadContext chacha = AeadContext.of(Aead.CHACHA20_POLY1305, new MallocAllocator())) {
            for (Vector vector : vectors) {
                AeadContext context = switch (vector.aead) {
                    case AES_128_GCM -> aes128;
                    case AES_256_GCM -> aes256;
                    case CHACHA20_POLY1305 -> chacha;
                };
                check(context, ++keyId, vector);
            }
        }
    }

    private static void check(AeadContext context, long keyId, Vector vector) {
        MallocAllocator allocator = new MallocAllocator();
        MemorySegment memory = allocator.allocate(16_384, 16);
        long key = memory.address();
        long nonce = key + 32;
        long aad = nonce + 16;
        long text = aad + 8_000;
        RawMemory.copy(vector.key, 0, key, vector.key.length);
        RawMemory.copy(vector.iv, 0, nonce, vector.iv.length);
        RawMemory.copy(vector.aad, 0, aad, vector.aad.length);
        int length = vector.msg.length;

        RawMemory.copy(vector.ct, 0, text, length);
        RawMemory.copy(vector.tag, 0, text + length, Aead.TAG_BYTES);
        boolean opened = context.open(keyId, key, nonce, aad, vector.aad.length, text, text, length);
        assertThat(opened).as("%s %s", vector.aead, vector.id).isEqualTo(vector.valid);
        assertThat(bytes(text, length))
                .as("%s %s", vector.aead, vector.id)
                .isEqualTo(vector.valid ? vector.msg : new byte[length]);

        if (vector.valid) {
            RawMemory.copy(vector.msg, 0, text, length);
            context.seal(keyId, key, nonce, aad, vector.aad.length, text, text, length);
            assertThat(bytes(text, length)).as("%s %s", vector.aead, vector.id).isEqualTo(vector.ct);
            assertThat(bytes(text + length, Aead.TAG_BYTES)).isEqualTo(vector.tag);
        }
        allocator.free(memory);
    }

    private static byte[] bytes(long address, int length) {
        byte[] bytes = new byte[length];
        RawMemory.copy(address, bytes, 0, length);
        return bytes;
    }

    private static List<Vector> vectors() throws IOException {
        try (InputStream in =
                Objects.requireNonNull(AeadVectorsTest.class.getResourceAsStream("wycheproof-aead.txt"))) {
            return new String(in.readAllBytes(), US_ASCII)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(AeadVectorsTest::parse)
                    .toList();
        }
    }

    private static Vector parse(String line) {
        String[] f = line.split(";", -1);
        HexFormat hex = HexFormat.of();
        return new Vector(
                Aead.valueOf(f[0]),
                f[1],
                hex.parseHex(f[2]),
                hex.parseHex(f[3]),
                hex.parseHex(f[4]),
                hex.parseHex(f[5]),
                hex.parseHex(f[6]),
                hex.parseHex(f[7]),
                f[8].equals("valid"));
    }
}
