package dev.sluice.ffi.openssl.digest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.testkit.CProbe;
import java.lang.foreign.Arena;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class Sha2Test {
    @Test
    void theStatesHaveTheSizesOfTheHeader() {
        Map<String, Long> sizes = new CProbe("openssl/sha.h")
                .ask("sizeof(SHA256_CTX)")
                .ask("sizeof(SHA512_CTX)")
                .answers();
        assertThat(sizes.get("sizeof(SHA256_CTX)")).isEqualTo((long) Sha2.SHA_256.stateBytes());
        assertThat(sizes.get("sizeof(SHA512_CTX)")).isEqualTo((long) Sha2.SHA_384.stateBytes());
        assertThat(Sha2.isAvailable()).isTrue();
    }

    /** A copied state continues on its own, which the transcript of a handshake needs. */
    @ParameterizedTest
    @EnumSource
    void hashesAsTheJdkDoes(Sha2 function) throws NoSuchAlgorithmException {
        byte[] message = new byte[1000];
        new Random(1).nextBytes(message);
        try (Arena arena = Arena.ofConfined()) {
            long state = arena.allocate(Sha2.MAX_STATE_BYTES, 8).address();
            long copy = arena.allocate(Sha2.MAX_STATE_BYTES, 8).address();
            long in = arena.allocate(message.length).address();
            long out = arena.allocate(function.bytes()).address();
            RawMemory.copy(message, 0, in, message.length);
            function.start(state);
            for (int at = 0; at < message.length; at += 100) {
                function.update(state, in + at, 100);
                RawMemory.copy(state, copy, function.stateBytes());
                function.finish(copy, out);
                byte[] hash = new byte[function.bytes()];
                RawMemory.copy(out, hash, 0, hash.length);
                MessageDigest digest = MessageDigest.getInstance(function == Sha2.SHA_256 ? "SHA-256" : "SHA-384");
                digest.update(message, 0, at + 100);
                assertThat(hash).isEqualTo(digest.digest());
            }
        }
    }
}
