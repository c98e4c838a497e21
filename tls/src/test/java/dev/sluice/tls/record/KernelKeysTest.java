package dev.sluice.tls.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.libc.TlsCryptoInfo;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of the keys passed to the kernel, byte by byte; {@code ffi} compares the offsets with linux/tls.h. */
final class KernelKeysTest {
    private static final long SEQUENCE = 0x0102_0304_0506_0708L;
    private static final long EXPLICIT_NONCE_BASE = 0x7000_0000_0000_0000L;

    @ParameterizedTest
    @EnumSource
    void writesEverySuiteInTheKernelsLayout(CipherSuite suite) {
        byte[] key = new byte[suite.aead().keyBytes()];
        byte[] iv = new byte[Aead.NONCE_BYTES];
        new Random(suite.id()).nextBytes(key);
        new Random(suite.id() + 1).nextBytes(iv);
        try (RecordFixture fixture = new RecordFixture()) {
            long keys = fixture.sealingKeys;
            fixture.put(TrafficKeys.keyAddress(keys), key);
            fixture.put(TrafficKeys.ivAddress(keys), iv);
            TrafficKeys.sequence(keys, SEQUENCE);
            boolean explicit = !suite.isTls13() && suite.aead() != Aead.CHACHA20_POLY1305;
            if (explicit) {
                TrafficKeys.explicitNonceBase(keys, EXPLICIT_NONCE_BASE);
            }
            RawMemory.putLong(fixture.record + TlsCryptoInfo.MAX_BYTES, -1);
            int bytes = KernelKeys.write(suite, keys, fixture.record);
            assertThat(fixture.get(fixture.record, bytes)).isEqualTo(expected(suite, key, iv, explicit));
            assertThat(RawMemory.getLong(fixture.record + TlsCryptoInfo.MAX_BYTES))
                    .isEqualTo(-1);
        }
    }

    /** Builds the expected struct field by field. */
    private static byte[] expected(CipherSuite suite, byte[] key, byte[] iv, boolean explicit) {
        ByteBuffer info = ByteBuffer.allocate(TlsCryptoInfo.MAX_BYTES).order(ByteOrder.nativeOrder());
        info.putShort((short) (suite.isTls13() ? 0x0304 : 0x0303));
        switch (suite.aead()) {
            case AES_128_GCM -> info.putShort((short) 51);
            case AES_256_GCM -> info.putShort((short) 52);
            case CHACHA20_POLY1305 -> info.putShort((short) 54);
        }
        info.order(ByteOrder.BIG_ENDIAN);
        if (suite.aead() == Aead.CHACHA20_POLY1305) {
            info.put(iv).put(key);
        } else if (explicit) {
            info.putLong(EXPLICIT_NONCE_BASE + SEQUENCE).put(key).put(iv, 0, 4);
        } else {
            info.put(iv, 4, 8).put(key).put(iv, 0, 4);
        }
        info.putLong(SEQUENCE);
        byte[] written = new byte[info.position()];
        info.get(0, written);
        return written;
    }
}
