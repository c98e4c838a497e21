package dev.sluice.ffi.openssl.digest;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/** Checksums beside those of the JDK's AES-GCM. */
final class GmacTest {
    private final byte[] key = new byte[Gmac.KEY_BYTES];
    private final byte[] message = new byte[100_000];

    @Test
    void checksMessagesInPiecesAsTheJdkDoes() throws Exception {
        new Random(1).nextBytes(message);
        new Random(2).nextBytes(key);
        byte[] ours = new byte[3 * Gmac.BYTES];
        try (Arena arena = Arena.ofConfined();
                Gmac gmac = new Gmac(key)) {
            MemorySegment memory = arena.allocateFrom(ValueLayout.JAVA_BYTE, message);
            gmac.update(memory.address(), 99_977);
            gmac.update(memory.address() + 99_977, 22);
            gmac.update(memory.address() + 99_999, 1);
            gmac.finish(ours, 0);
            gmac.finish(ours, Gmac.BYTES);
            gmac.update(memory.address(), 10);
            gmac.start();
            gmac.update(memory.address(), 99_999);
            gmac.finish(ours, 2 * Gmac.BYTES);
        }
        assertThat(Arrays.copyOf(ours, Gmac.BYTES)).isEqualTo(theirs(message));
        assertThat(Arrays.copyOfRange(ours, Gmac.BYTES, 2 * Gmac.BYTES)).isEqualTo(theirs(new byte[0]));
        assertThat(Arrays.copyOfRange(ours, 2 * Gmac.BYTES, 3 * Gmac.BYTES))
                .isEqualTo(theirs(Arrays.copyOf(message, 99_999)));
    }

    private byte[] theirs(byte[] bytes) throws Exception {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(
                Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new GCMParameterSpec(8 * Gmac.BYTES, new byte[12]));
        cipher.updateAAD(bytes);
        return cipher.doFinal();
    }
}
