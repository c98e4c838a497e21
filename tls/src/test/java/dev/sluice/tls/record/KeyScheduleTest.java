package dev.sluice.tls.record;

import static dev.sluice.tls.record.RecordFixture.hex;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.memory.fault.FaultPoint;
import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Random;
import javax.crypto.KDF;
import javax.crypto.Mac;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests of derived keys against published vectors and the JDK's own HKDF and HMAC. Those of RFC 8448 are in {@link
 * Rfc8448Test}.
 */
final class KeyScheduleTest {
    private static final int RANDOM_SECRETS = 200;
    private static final int RANDOMS_BYTES = 64;
    /** An upper bound of the calls in a derivation. */
    private static final int CALLS_MAX = 5;

    private final RecordFixture fixture = new RecordFixture();
    private final long out = fixture.record + 1_000;

    @AfterEach
    void free() {
        fixture.close();
    }

    /**
     * Checks the same function under other labels: RFC 9001 appendix A.1 (initial keys) and A.5 (ChaCha20, with key
     * update).
     */
    @ParameterizedTest
    @CsvSource({
        "c00cf151ca5be075ed0ebfb5c80323c42d6b7db67881289af4008f1f6c357aea, quic key, 1f369613dd76d5467730efcbe3b1a22d",
        "c00cf151ca5be075ed0ebfb5c80323c42d6b7db67881289af4008f1f6c357aea, quic iv, fa044b2f42a3fd3b46fb255c",
        "c00cf151ca5be075ed0ebfb5c80323c42d6b7db67881289af4008f1f6c357aea, quic hp, 9f50449e04a0e810283a1e9933adedd2",
        "3c199828fd139efd216c155ad844cc81fb82fa8d7446fa7d78be803acdda951b, quic key, cf3a5331653c364c88f0f379b6067e37",
        "3c199828fd139efd216c155ad844cc81fb82fa8d7446fa7d78be803acdda951b, quic iv, 0ac1493ca1905853b0bba03e",
        "3c199828fd139efd216c155ad844cc81fb82fa8d7446fa7d78be803acdda951b, quic hp, c206b8d9b9f0f37644430b490eeaa314",
        "9ac312a7f877468ebe69422748ad00a15443f18203a07d6060f688f30f21632b, quic key,"
                + " c6d98ff3441c3fe1b2182094f69caa2ed4b716b65488960a7a984979fb23e1c8",
        "9ac312a7f877468ebe69422748ad00a15443f18203a07d6060f688f30f21632b, quic iv, e0459b3474bdd0e44a41c144",
        "9ac312a7f877468ebe69422748ad00a15443f18203a07d6060f688f30f21632b, quic ku,"
                + " 1223504755036d556342ee9361d253421a826c9ecdf3c7148684b36b714881f9",
    })
    void expandsTheVectorsOfRfc9001(String secret, String label, String expected) {
        fixture.put(fixture.record, hex(secret));
        int length = expected.length() / 2;
        fixture.schedule.expandLabel(Hash.SHA_256, fixture.record, label, out, length);
        assertThat(fixture.get(out, length)).isEqualTo(hex(expected));
    }

    @ParameterizedTest
    @EnumSource(
            value = CipherSuite.class,
            names = {"TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"})
    void derivesGenerationsLikeTheJdksHkdf(CipherSuite suite) throws GeneralSecurityException {
        Random random = new Random(5);
        int hashBytes = suite.hash().bytes();
        for (int i = 0; i < RANDOM_SECRETS; i++) {
            byte[] secret = new byte[hashBytes];
            random.nextBytes(secret);
            fixture.with(suite, secret);
            for (int generation = 0; generation < 3; generation++) {
                assertThat(fixture.get(TrafficKeys.secretAddress(fixture.sealingKeys), hashBytes))
                        .isEqualTo(secret);
                assertThat(fixture.get(
                                TrafficKeys.keyAddress(fixture.sealingKeys),
                                suite.aead().keyBytes()))
                        .isEqualTo(jdkExpandLabel(
                                suite.hash(), secret, "key", suite.aead().keyBytes()));
                assertThat(fixture.get(TrafficKeys.ivAddress(fixture.sealingKeys), Aead.NONCE_BYTES))
                        .isEqualTo(jdkExpandLabel(suite.hash(), secret, "iv", Aead.NONCE_BYTES));
                fixture.schedule.nextGeneration(suite, fixture.sealingKeys);
                secret = jdkExpandLabel(suite.hash(), secret, "traffic upd", hashBytes);
            }
        }
    }

    /** Computes RFC 8446 section 7.1 with the JDK. */
    private static byte[] jdkExpandLabel(Hash hash, byte[] secret, String label, int length)
            throws GeneralSecurityException {
        byte[] full = ("tls13 " + label).getBytes(US_ASCII);
        ByteArrayOutputStream info = new ByteArrayOutputStream();
        info.write(length >>> Byte.SIZE);
        info.write(length);
        info.write(full.length);
        info.writeBytes(full);
        info.write(0);
        KDF hkdf = KDF.getInstance(hash == Hash.SHA_256 ? "HKDF-SHA256" : "HKDF-SHA384");
        SecretKeySpec key = new SecretKeySpec(secret, "Generic");
        return hkdf.deriveData(HKDFParameterSpec.expandOnly(key, info.toByteArray(), length));
    }

    @ParameterizedTest
    @EnumSource(
            value = CipherSuite.class,
            names = {
                "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
                "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
                "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256"
            })
    void derivesKeyBlocksLikeThePrfOverTheJdksHmac(CipherSuite suite) throws GeneralSecurityException {
        Random random = new Random(6);
        for (int i = 0; i < RANDOM_SECRETS; i++) {
            assertKeyBlock(suite, derive12(suite, random));
        }
    }

    /** Checks that a context shared by a loop's connections carries nothing from one derivation into the next. */
    @Test
    void aFailedDerivationDoesNotAffectTheNext() throws GeneralSecurityException {
        CipherSuite suite = CipherSuite.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256;
        Random random = new Random(7);
        int failed = 0;
        for (int call = 1; call <= CALLS_MAX; call++) {
            try (FaultPoint.Armed armed = FaultPoint.arm(FaultPoint.EVP, call, thread -> true, this::fail)) {
                derive12(suite, random);
                assertThat(armed.hasHit()).isFalse();
            } catch (IllegalStateException injected) {
                failed++;
            }
            assertKeyBlock(suite, derive12(suite, random));
        }
        assertThat(failed).isPositive();
    }

    private void fail() {
        throw new IllegalStateException("injected by a test");
    }

    /** Derives the keys of random secrets and returns their expected key block. */
    private byte[] derive12(CipherSuite suite, Random random) throws GeneralSecurityException {
        byte[] master = new byte[ConnectionKeys.MASTER_SECRET_BYTES];
        byte[] randoms = new byte[RANDOMS_BYTES];
        random.nextBytes(master);
        random.nextBytes(randoms);
        fixture.put(fixture.record, master);
        fixture.put(out, randoms);
        fixture.schedule.deriveKeys12(suite, fixture.record, out, fixture.openingKeys, fixture.sealingKeys);
        return jdkPrf(suite.hash(), master, randoms);
    }

    /** Checks a key block against RFC 5246 section 6.3: client key, server key, client IV, server IV. */
    private void assertKeyBlock(CipherSuite suite, byte[] block) {
        int key = suite.aead().keyBytes();
        int iv = RecordProtector.fixedIvBytes12(suite.aead());
        assertThat(fixture.get(TrafficKeys.keyAddress(fixture.openingKeys), key))
                .isEqualTo(Arrays.copyOf(block, key));
        assertThat(fixture.get(TrafficKeys.keyAddress(fixture.sealingKeys), key))
                .isEqualTo(Arrays.copyOfRange(block, key, 2 * key));
        assertThat(fixture.get(TrafficKeys.ivAddress(fixture.openingKeys), iv))
                .isEqualTo(Arrays.copyOfRange(block, 2 * key, 2 * key + iv));
        assertThat(fixture.get(TrafficKeys.ivAddress(fixture.sealingKeys), iv))
                .isEqualTo(Arrays.copyOfRange(block, 2 * key + iv, 2 * (key + iv)));
    }

    /** Computes P_hash of RFC 5246 section 5, at least 160 bytes of it, with the JDK. */
    private static byte[] jdkPrf(Hash hash, byte[] master, byte[] randoms) throws GeneralSecurityException {
        String name = hash == Hash.SHA_256 ? "HmacSHA256" : "HmacSHA384";
        Mac mac = Mac.getInstance(name);
        mac.init(new SecretKeySpec(master, name));
        byte[] label = "key expansion".getBytes(US_ASCII);
        byte[] a = concatenated(label, randoms);
        byte[] seed = a;
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        while (block.size() < 160) {
            a = mac.doFinal(a);
            block.writeBytes(mac.doFinal(concatenated(a, seed)));
        }
        return block.toByteArray();
    }

    private static byte[] concatenated(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }
}
