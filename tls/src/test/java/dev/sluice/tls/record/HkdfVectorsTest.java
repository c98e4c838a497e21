package dev.sluice.tls.record;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.memory.Ledger;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/**
 * Wycheproof's HKDF vectors, applied to the expansion of the key schedule. Of an output longer than the hash it makes
 * the first block, which is all that TLS 1.3 needs; the extraction before it is the JDK's HMAC.
 */
final class HkdfVectorsTest {
    private final MallocAllocator allocator = new MallocAllocator();

    @Test
    void matchesTheFirstBlockOfAllVectors() throws Exception {
        List<String> vectors = vectors();
        assertThat(vectors).hasSizeGreaterThan(150);
        Map<Hash, HkdfExpand> functions = new EnumMap<>(Hash.class);
        MemorySegment memory = allocator.allocate(4096, 16);
        try {
            for (String line : vectors) {
                String[] fields = line.split(";", -1);
                Hash hash = Hash.valueOf(fields[0]);
                HkdfExpand function = functions.computeIfAbsent(
                        hash,
                        each -> new HkdfExpand(each, allocator, Ledger.process().account("test vectors")));
                byte[] key = extract(hash, hex(fields[3]), hex(fields[2]));
                byte[] expected = Arrays.copyOf(hex(fields[5]), Math.min(hash.bytes(), hex(fields[5]).length));

                assertThat(expand(function, memory.address(), key, hex(fields[4]), expected.length))
                        .as("%s %s", hash, fields[1])
                        .isEqualTo(expected);
            }
        } finally {
            functions.values().forEach(HkdfExpand::close);
            allocator.free(memory);
        }
        assertThat(functions).containsOnlyKeys(Hash.values());
    }

    private static byte[] expand(HkdfExpand function, long address, byte[] key, byte[] info, int length) {
        long infoAddress = address + Hash.MAX_BYTES;
        long out = infoAddress + info.length + 1;
        RawMemory.copy(key, 0, address, key.length);
        RawMemory.copy(info, 0, infoAddress, info.length);
        function.expand(address, infoAddress, info.length, out, length);
        byte[] bytes = new byte[length];
        RawMemory.copy(out, bytes, 0, length);
        return bytes;
    }

    private static byte[] extract(Hash hash, byte[] salt, byte[] ikm) throws GeneralSecurityException {
        String algorithm = hash == Hash.SHA_256 ? "HmacSHA256" : "HmacSHA384";
        Mac hmac = Mac.getInstance(algorithm);
        hmac.init(new SecretKeySpec(salt.length == 0 ? new byte[hash.bytes()] : salt, algorithm));
        return hmac.doFinal(ikm);
    }

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text);
    }

    private static List<String> vectors() throws Exception {
        try (InputStream in =
                Objects.requireNonNull(HkdfVectorsTest.class.getResourceAsStream("wycheproof-hkdf.txt"))) {
            return new String(in.readAllBytes(), US_ASCII)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .toList();
        }
    }
}
