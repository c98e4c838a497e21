package dev.sluice.ffi.openssl.agreement;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.ErrorQueue;
import dev.sluice.ffi.openssl.EvpPkey;
import dev.sluice.ffi.openssl.agreement.KeyAgreement.Kind;
import dev.sluice.ffi.openssl.raw.LibCrypto;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.XECPrivateKeySpec;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Wycheproof's vectors of key agreement, good shares and bad ones, derived by {@link KeyAgreement}. */
final class AgreementVectorsTest {
    private static final HexFormat HEX = HexFormat.of();

    /** The groups with vectors: their name in the file, OpenSSL's and the JDK's, and the size of a secret. */
    enum Group {
        X25519(Kind.MONTGOMERY, "X25519", "X25519", 32, 32, 518),
        P256(Kind.ELLIPTIC, "P-256", "secp256r1", 32, 65, 355),
        P384(Kind.ELLIPTIC, "P-384", "secp384r1", 48, 97, 790);

        private final Kind kind;
        private final String name;
        private final String jdkName;
        private final int secretBytes;
        private final int shareBytes;
        private final int vectors;

        Group(Kind kind, String name, String jdkName, int secretBytes, int shareBytes, int vectors) {
            this.kind = kind;
            this.name = name;
            this.jdkName = jdkName;
            this.secretBytes = secretBytes;
            this.shareBytes = shareBytes;
            this.vectors = vectors;
        }

        /** Returns a private key in PKCS #8, as the JDK writes it. */
        private byte[] pkcs8(byte[] key) throws GeneralSecurityException {
            return privateKey(key).getEncoded();
        }

        private PrivateKey privateKey(byte[] key) throws GeneralSecurityException {
            if (kind == Kind.MONTGOMERY) {
                return KeyFactory.getInstance(jdkName)
                        .generatePrivate(new XECPrivateKeySpec(new NamedParameterSpec(jdkName), key));
            }
            AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
            parameters.init(new ECGenParameterSpec(jdkName));
            return KeyFactory.getInstance("EC")
                    .generatePrivate(new ECPrivateKeySpec(
                            new BigInteger(1, key), parameters.getParameterSpec(ECParameterSpec.class)));
        }
    }

    @ParameterizedTest
    @EnumSource
    void agreesAsWycheproofDoes(Group group) throws IOException, GeneralSecurityException {
        List<String[]> vectors = vectors(group);
        assertThat(vectors).hasSize(group.vectors);
        try (KeyAgreement agreement = new KeyAgreement(group.kind, group.name)) {
            for (String[] vector : vectors) {
                byte[] secret = derive(agreement, group, HEX.parseHex(vector[2]), HEX.parseHex(vector[3]));
                String outcome = secret.length == 0 ? "refused" : HEX.formatHex(secret);
                assertThat(outcome)
                        .as("%s %s", vector[0], vector[1])
                        .isEqualTo(vector[5].equals("agrees") ? vector[4] : "refused");
            }
        }
        assertThat(ErrorQueue.drain()).as("errors left behind").isEmpty();
    }

    /** A share that is refused comes before anything is written for the peer's eyes. */
    @ParameterizedTest
    @EnumSource
    void refusesBadSharesAsTheHandshakeDoes(Group group) throws IOException {
        MallocAllocator allocator = new MallocAllocator();
        MemorySegment memory = allocator.allocate(1024, 8);
        try (KeyAgreement agreement = new KeyAgreement(group.kind, group.name)) {
            int refused = 0;
            for (String[] vector : vectors(group)) {
                byte[] peer = HEX.parseHex(vector[3]);
                // The handshake looks at the size of a share first.
                if (vector[5].equals("agrees") || peer.length != group.shareBytes) {
                    continue;
                }
                RawMemory.copy(peer, 0, memory.address(), peer.length);
                boolean agreed = agreement.agree(
                        memory.address(),
                        peer.length,
                        memory.address() + 256,
                        group.shareBytes,
                        memory.address() + 512,
                        group.secretBytes);
                assertThat(agreed).as("%s %s", vector[0], vector[1]).isFalse();
                refused++;
            }
            assertThat(refused).isGreaterThan(10);
        } finally {
            allocator.free(memory);
        }
    }

    private static byte[] derive(KeyAgreement agreement, Group group, byte[] key, byte[] peer)
            throws GeneralSecurityException {
        byte[] pkcs8 = group.pkcs8(key);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment room = arena.allocate(1024, 8);
            RawMemory.copy(peer, 0, room.address(), peer.length);
            MemorySegment der = arena.allocate(pkcs8.length);
            MemorySegment.copy(pkcs8, 0, der, java.lang.foreign.ValueLayout.JAVA_BYTE, 0, pkcs8.length);
            long theirs = agreement.peerKey(room.address(), peer.length);
            try (EvpPkey ours = EvpPkey.fromPkcs8(der)) {
                boolean agreed = theirs != 0
                        && agreement.derive(ours.address(), theirs, room.address() + 512, group.secretBytes);
                ErrorQueue.clear();
                byte[] secret = new byte[agreed ? group.secretBytes : 0];
                RawMemory.copy(room.address() + 512, secret, 0, secret.length);
                return secret;
            } finally {
                LibCrypto.EVP_PKEY_free(theirs);
            }
        }
    }

    private static List<String[]> vectors(Group group) throws IOException {
        try (InputStream in =
                Objects.requireNonNull(AgreementVectorsTest.class.getResourceAsStream("wycheproof-agreement.txt"))) {
            return new String(in.readAllBytes(), US_ASCII)
                    .lines()
                    .map(line -> line.split(";", -1))
                    .filter(fields -> fields[0].equals(group.name))
                    .toList();
        }
    }
}
