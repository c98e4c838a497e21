package dev.sluice.tls.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.memory.Ledger;
import dev.sluice.testkit.AllocatedBytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class RecordProtectorTest {
    private final Map<String, Ledger.Balance> before = Ledger.process().balances();
    private final RecordFixture fixture = new RecordFixture();

    @AfterEach
    void everythingIsGivenBack() {
        fixture.close();
        assertThat(Ledger.process().leaksSince(before)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void opensSealedRecords(CipherSuite suite) {
        fixture.with(suite, secret(suite));
        Random random = new Random(1);
        try (RecordProtector protector = new RecordProtector(suite.aead(), fixture.allocator)) {
            for (int length : new int[] {0, 1, 15, 16, 17, 1_000, 16_383, 16_384}) {
                byte[] payload = new byte[length];
                random.nextBytes(payload);
                int opened = suite.isTls13() ? roundTrip13(protector, payload) : roundTrip12(protector, payload);
                assertThat(RecordProtector.contentType(opened)).isEqualTo(ContentType.APPLICATION_DATA);
                assertThat(RecordProtector.length(opened)).isEqualTo(length);
                int headroom = suite.isTls13() ? RecordProtector.HEADER_BYTES : protector.headroom12();
                assertThat(fixture.get(fixture.record + headroom, length)).isEqualTo(payload);
            }
        }
    }

    /**
     * Checks records in other memory. The JDK's AES-GCM opens them too: the layout is that of RFC 8446 section 5.2, not
     * only our own inverse.
     */
    @ParameterizedTest
    @EnumSource(CipherSuite.class)
    void sealsTheSameRecordIntoOtherMemory(CipherSuite suite) {
        byte[] payload = "sealed from one place to another".getBytes(StandardCharsets.UTF_8);
        RecordFixture f = fixture.with(suite, secret(suite));
        try (RecordProtector protector = new RecordProtector(suite.aead(), f.allocator)) {
            boolean tls13 = suite.isTls13();
            long from = f.record;
            long sealed = f.record + 1000;
            long opened = f.record + 2000;
            f.put(from, payload);
            RawMemory.putByte(from + payload.length, (byte) 77);
            int bytes = tls13
                    ? protector.seal(f.sealingKeys, from, payload.length, 23, sealed)
                    : protector.seal12(f.sealingKeys, from, payload.length, 23, sealed);
            assertThat(f.get(from, payload.length)).as("the source").isEqualTo(payload);
            assertThat(RawMemory.getByte(from + payload.length)).isEqualTo((byte) 77);
            byte[] record = f.get(sealed, bytes);

            int result = tls13
                    ? protector.open(f.openingKeys, sealed, bytes, opened)
                    : protector.open12(f.openingKeys, sealed, bytes, opened);
            assertThat(RecordProtector.contentType(result)).isEqualTo(23);
            assertThat(f.get(opened, RecordProtector.length(result))).isEqualTo(payload);
            assertThat(f.get(sealed, bytes)).as("the record stays").isEqualTo(record);

            f.put(sealed + bytes - 1, new byte[] {(byte) (record[bytes - 1] ^ 1)});
            int refused = tls13
                    ? protector.open(f.openingKeys, sealed, bytes, opened)
                    : protector.open12(f.openingKeys, sealed, bytes, opened);
            assertThat(refused).isEqualTo(-Alert.BAD_RECORD_MAC);
            assertThat(f.get(opened, payload.length)).isEqualTo(new byte[payload.length]);
        }
    }

    @Test
    void sealsRecordsThatTheJdkOpens() throws Exception {
        CipherSuite suite = CipherSuite.TLS_AES_256_GCM_SHA384;
        fixture.with(suite, secret(suite));
        byte[] payload = "hello, record".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        try (RecordProtector protector = new RecordProtector(suite.aead(), fixture.allocator)) {
            TrafficKeys.sequence(fixture.sealingKeys, 0x0102);
            byte[] record = seal13(protector, payload);
            byte[] nonce = fixture.get(TrafficKeys.ivAddress(fixture.sealingKeys), Aead.NONCE_BYTES);
            nonce[10] ^= 1;
            nonce[11] ^= 2;
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            byte[] key = fixture.get(TrafficKeys.keyAddress(fixture.sealingKeys), 32);
            cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(key, "AES"), new GCMParameterSpec(128, nonce));
            cipher.updateAAD(record, 0, RecordProtector.HEADER_BYTES);
            byte[] inner =
                    cipher.doFinal(record, RecordProtector.HEADER_BYTES, record.length - RecordProtector.HEADER_BYTES);
            assertThat(inner).startsWith(payload).hasSize(payload.length + 1).endsWith((byte) 23);
        }
    }

    @Test
    void rejectsEveryFlippedBitWithoutPlaintext() {
        CipherSuite suite = CipherSuite.TLS_AES_128_GCM_SHA256;
        fixture.with(suite, secret(suite));
        byte[] payload = new byte[40];
        Arrays.fill(payload, (byte) 'p');
        try (RecordProtector protector = new RecordProtector(suite.aead(), fixture.allocator)) {
            byte[] record = seal13(protector, payload);
            for (int bit = 0; bit < record.length * 8; bit++) {
                byte[] flipped = record.clone();
                flipped[bit / 8] ^= (byte) (1 << bit % 8);
                fixture.put(fixture.record, flipped);
                assertThat(protector.open(fixture.openingKeys, fixture.record, record.length))
                        .as("bit %d", bit)
                        .isEqualTo(-Alert.BAD_RECORD_MAC);
                assertThat(fixture.get(fixture.record + 5, payload.length + 1)).containsOnly(0);
            }
            fixture.put(fixture.record, record);
            assertThat(protector.open(fixture.openingKeys, fixture.record, record.length))
                    .as("the untouched record still opens: a forgery does not count as a record")
                    .isPositive();
        }
    }

    @Test
    void rejectsRepeatedDroppedAndReorderedRecords() {
        CipherSuite suite = CipherSuite.TLS_CHACHA20_POLY1305_SHA256;
        fixture.with(suite, secret(suite));
        try (RecordProtector protector = new RecordProtector(suite.aead(), fixture.allocator)) {
            byte[] first = seal13(protector, new byte[] {1});
            byte[] second = seal13(protector, new byte[] {2});
            assertThat(open13(protector, second)).isEqualTo(-Alert.BAD_RECORD_MAC);
            assertThat(open13(protector, first)).isPositive();
            assertThat(open13(protector, first)).isEqualTo(-Alert.BAD_RECORD_MAC);
            assertThat(open13(protector, second)).isPositive();
        }
    }

    @Test
    void rejectsImpossibleLengths() {
        CipherSuite suite = CipherSuite.TLS_AES_128_GCM_SHA256;
        fixture.with(suite, secret(suite));
        try (RecordProtector protector = new RecordProtector(suite.aead(), fixture.allocator)) {
            assertThat(protector.open(fixture.openingKeys, fixture.record, 5 + 16))
                    .isEqualTo(-Alert.BAD_RECORD_MAC);
            assertThat(protector.open(fixture.openingKeys, fixture.record, 5)).isEqualTo(-Alert.BAD_RECORD_MAC);
            assertThat(protector.open(fixture.openingKeys, fixture.record, 5 + 16_384 + 257))
                    .isEqualTo(-Alert.RECORD_OVERFLOW);
            assertThat(protector.open12(fixture.openingKeys, fixture.record, 5 + 23))
                    .isEqualTo(-Alert.BAD_RECORD_MAC);
            assertThat(protector.open12(fixture.openingKeys, fixture.record, 5 + 16_384 + 2_049))
                    .isEqualTo(-Alert.RECORD_OVERFLOW);
        }
    }

    @Test
    void stripsPaddingAndRejectsNothingButPadding() {
        CipherSuite suite = CipherSuite.TLS_AES_128_GCM_SHA256;
        fixture.with(suite, secret(suite));
        try (RecordProtector protector = new RecordProtector(suite.aead(), fixture.allocator)) {
            // A padded record has a "payload" that contains the inner type, and a type byte that is padding.
            byte[] padded = sealAs(protector, new byte[] {'h', 'i', 23, 0, 0, 0}, 0);
            int opened = open13(protector, padded);
            assertThat(RecordProtector.contentType(opened)).isEqualTo(ContentType.APPLICATION_DATA);
            assertThat(fixture.get(fixture.record + 5, RecordProtector.length(opened)))
                    .containsExactly('h', 'i');
            assertThat(open13(protector, sealAs(protector, new byte[9], 0))).isEqualTo(-Alert.UNEXPECTED_MESSAGE);
        }
    }

    @Test
    void loadsAnotherConnectionsKeyOnDemand() {
        CipherSuite suite = CipherSuite.TLS_AES_128_GCM_SHA256;
        fixture.with(suite, secret(suite));
        try (RecordFixture other = new RecordFixture().with(suite, new byte[32]);
                RecordProtector protector = new RecordProtector(suite.aead(), fixture.allocator)) {
            for (int i = 0; i < 10; i++) {
                for (RecordFixture turn : new RecordFixture[] {fixture, other}) {
                    long payload = turn.record + RecordProtector.HEADER_BYTES;
                    RawMemory.putInt(payload, i);
                    int bytes = protector.seal(turn.sealingKeys, payload, 4, ContentType.APPLICATION_DATA);
                    assertThat(protector.open(turn.openingKeys, turn.record, bytes))
                            .isPositive();
                    assertThat(RawMemory.getInt(payload)).isEqualTo(i);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = CipherSuite.class,
            names = {"TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"})
    void bothSidesFollowKeyGenerations(CipherSuite suite) {
        fixture.with(suite, secret(suite));
        try (RecordProtector protector = new RecordProtector(suite.aead(), fixture.allocator)) {
            byte[] old = seal13(protector, new byte[] {1});
            assertThat(open13(protector, old)).isPositive();
            for (int generation = 0; generation < 5; generation++) {
                fixture.schedule.nextGeneration(suite, fixture.sealingKeys);
                assertThat(TrafficKeys.sequence(fixture.sealingKeys)).isZero();
                byte[] record = seal13(protector, new byte[] {2});
                assertThat(open13(protector, record)).isEqualTo(-Alert.BAD_RECORD_MAC);
                fixture.schedule.nextGeneration(suite, fixture.openingKeys);
                assertThat(open13(protector, record)).isPositive();
            }
        }
    }

    @Test
    void rejectsWipedKeys() {
        CipherSuite suite = CipherSuite.TLS_AES_128_GCM_SHA256;
        fixture.with(suite, secret(suite));
        try (RecordProtector protector = new RecordProtector(suite.aead(), fixture.allocator)) {
            TrafficKeys.wipe(fixture.sealingKeys);
            assertThat(fixture.get(fixture.sealingKeys, TrafficKeys.BYTES)).containsOnly(0);
            assertThatThrownBy(() -> seal13(protector, new byte[] {1}))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("wiping");
        }
    }

    @Test
    void allocatesNothingPerRecord() {
        CipherSuite suite = CipherSuite.TLS_AES_128_GCM_SHA256;
        fixture.with(suite, secret(suite));
        try (RecordProtector protector = new RecordProtector(suite.aead(), fixture.allocator)) {
            long allocated = AllocatedBytes.leastDuring(() -> records(protector, 20_000));
            assertThat(allocated).as("bytes over 20,000 records").isLessThan(20_000);
        }
    }

    private void records(RecordProtector protector, int count) {
        long payload = fixture.record + RecordProtector.HEADER_BYTES;
        for (int i = 0; i < count; i++) {
            int bytes = protector.seal(fixture.sealingKeys, payload, 256, ContentType.APPLICATION_DATA);
            if (protector.open(fixture.openingKeys, fixture.record, bytes) < 0) {
                throw new AssertionError("record " + i + " did not open");
            }
        }
    }

    private static byte[] secret(CipherSuite suite) {
        byte[] secret = new byte[suite.hash().bytes()];
        new Random(7).nextBytes(secret);
        return secret;
    }

    private int roundTrip13(RecordProtector protector, byte[] payload) {
        return open13(protector, seal13(protector, payload));
    }

    private int roundTrip12(RecordProtector protector, byte[] payload) {
        long at = fixture.record + protector.headroom12();
        fixture.put(at, payload);
        int bytes = protector.seal12(fixture.sealingKeys, at, payload.length, ContentType.APPLICATION_DATA);
        return protector.open12(fixture.openingKeys, fixture.record, bytes);
    }

    private byte[] seal13(RecordProtector protector, byte[] payload) {
        return sealAs(protector, payload, ContentType.APPLICATION_DATA);
    }

    private byte[] sealAs(RecordProtector protector, byte[] payload, int contentType) {
        long at = fixture.record + RecordProtector.HEADER_BYTES;
        fixture.put(at, payload);
        int bytes = protector.seal(fixture.sealingKeys, at, payload.length, contentType);
        return fixture.get(fixture.record, bytes);
    }

    private int open13(RecordProtector protector, byte[] record) {
        fixture.put(fixture.record, record);
        return protector.open(fixture.openingKeys, fixture.record, record.length);
    }
}
