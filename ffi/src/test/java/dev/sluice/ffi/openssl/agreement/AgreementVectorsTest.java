package dev.sluice.ffi.openssl.agreement;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.ErrorQueue;
import dev.sluice.ffi.openssl.EvpPkey;
import dev.sluice.ffi.openssl.agreement.KeyAgreement.Kind;
import dev.sluice.ffi.openssl.raw.LibCrypto;
import dev.sluice.ffi.x25519.X25519Function;
import dev.sluice.ffi.x25519.X25519Library;
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
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Wycheproof's vectors of key agreement, good shares and bad ones, derived by each {@link KeyAgreement}. */
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
            AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
            parameters.init(new ECGenParameterSpec(jdkName));
            return KeyFactory.getInstance("EC")
                    .generatePrivate(new ECPrivateKeySpec(
                            new BigInteger(1, key), parameters.getParameterSpec(ECParameterSpec.class)));
        }
    }

    @ParameterizedTest
    @EnumSource(names = "X25519", mode = EnumSource.Mode.EXCLUDE)
    void agreesAsWycheproofDoes(Group group) throws IOException, GeneralSecurityException {
        try (EllipticAgreement agreement = new EllipticAgreement(group.name)) {
            for (String[] vector : vectors(group)) {
                expect(vector, derive(agreement, group, HEX.parseHex(vector[2]), HEX.parseHex(vector[3])));
            }
        }
        assertThat(ErrorQueue.drain()).as("errors left behind").isEmpty();
    }

    @Test
    void opensslAgreesAsWycheproofDoes() throws IOException {
        try (OpenSslX25519 function = new OpenSslX25519()) {
            assertThat(function.isQuick()).isTrue();
            agreesAsWycheproofDoes(function);
        }
        assertThat(ErrorQueue.drain()).as("errors left behind").isEmpty();
    }

    /** The library of this process, where one is installed or named by the property. */
    @Test
    void libraryAgreesAsWycheproofDoes() throws IOException {
        X25519Library library = X25519Library.ofProcess();
        assertThat(library.standing()).as(library.description()).isNotEqualTo(X25519Library.Standing.REFUSED);
        X25519Function function = library.function();
        Assumptions.assumeTrue(function != null, library.description());
        agreesAsWycheproofDoes(Objects.requireNonNull(function));
    }

    private static void agreesAsWycheproofDoes(X25519Function function) throws IOException {
        for (String[] vector : vectors(Group.X25519)) {
            expect(vector, derive(function, HEX.parseHex(vector[2]), HEX.parseHex(vector[3])));
        }
    }

    private static void expect(String[] vector, byte[] secret) {
        String outcome = secret.length == 0 ? "refused" : HEX.formatHex(secret);
        assertThat(outcome)
                .as("%s %s", vector[0], vector[1])
                .isEqualTo(vector[5].equals("agrees") ? vector[4] : "refused");
    }

    /** A share that is refused comes before anything is written for the peer's eyes. */
    @ParameterizedTest
    @EnumSource
    void refusesBadSharesAsTheHandshakeDoes(Group group) throws IOException {
        MallocAllocator allocator = new MallocAllocator();
        MemorySegment memory = allocator.allocate(1024, 8);
        try (KeyAgreement agreement = KeyAgreement.of(group.kind, group.name)) {
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

    private static byte[] derive(EllipticAgreement agreement, Group group, byte[] key, byte[] peer)
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
                return result(agreed, room.address() + 512, group.secretBytes);
            } finally {
                LibCrypto.EVP_PKEY_free(theirs);
            }
        }
    }

    private static byte[] derive(X25519Function function, byte[] key, byte[] peer) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment room = arena.allocate(96, 8);
            RawMemory.copy(key, 0, room.address(), key.length);
            RawMemory.copy(peer, 0, room.address() + 32, peer.length);
            boolean agreed = function.derive(room.address(), room.address() + 32, room.address() + 64);
            return result(agreed, room.address() + 64, X25519Function.BYTES);
        }
    }

    private static byte[] result(boolean agreed, long secret, int bytes) {
        byte[] result = new byte[agreed ? bytes : 0];
        RawMemory.copy(secret, result, 0, result.length);
        return result;
    }

    private static List<String[]> vectors(Group group) throws IOException {
        try (InputStream in =
                Objects.requireNonNull(AgreementVectorsTest.class.getResourceAsStream("wycheproof-agreement.txt"))) {
            List<String[]> vectors = new String(in.readAllBytes(), US_ASCII)
                    .lines()
                    .map(line -> line.split(";", -1))
                    .filter(fields -> fields[0].equals(group.name))
                    .toList();
            assertThat(vectors).hasSize(group.vectors);
            return vectors;
        }
    }
}
