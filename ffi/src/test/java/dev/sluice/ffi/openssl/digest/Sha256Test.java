package dev.sluice.ffi.openssl.digest;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Hashes beside those of the JDK. */
final class Sha256Test {
    @Test
    void hashesMessagesInPiecesAsTheJdkDoes() throws Exception {
        byte[] message = new byte[100_000];
        new Random(1).nextBytes(message);
        byte[] ours = new byte[2 * Sha256.BYTES];
        try (Arena arena = Arena.ofConfined();
                Sha256 hash = new Sha256()) {
            MemorySegment memory = arena.allocateFrom(ValueLayout.JAVA_BYTE, message);
            hash.update(memory.address(), 99_999);
            hash.update(memory.address() + 99_999, 1);
            hash.finish(ours, 0);
            hash.finish(ours, Sha256.BYTES);
        }
        MessageDigest theirs = MessageDigest.getInstance("SHA-256");
        assertThat(Arrays.copyOf(ours, Sha256.BYTES)).isEqualTo(theirs.digest(message));
        assertThat(Arrays.copyOfRange(ours, Sha256.BYTES, ours.length)).isEqualTo(theirs.digest(new byte[0]));
    }

    @Test
    void dropsAMessageThatIsStartedAgain() throws Exception {
        byte[] ours = new byte[Sha256.BYTES];
        try (Arena arena = Arena.ofConfined();
                Sha256 hash = new Sha256()) {
            hash.update(arena.allocate(10).address(), 10);
            hash.start();
            hash.finish(ours, 0);
        }
        assertThat(ours).isEqualTo(MessageDigest.getInstance("SHA-256").digest());
    }
}
