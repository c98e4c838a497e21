package dev.sluice.transfer.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.memory.Ledger;
import dev.sluice.testkit.NativeBalance;
import dev.sluice.tls.failure.TlsConfigurationException;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OwnKeyTest {
    @RegisterExtension
    final NativeBalance<?> balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    @TempDir
    private Path directory;

    /** The JDK reads the certificate and digests its key: another implementation of the same definition. */
    @ParameterizedTest
    @EnumSource(OwnKeyType.class)
    void fingerprintIsTheDigestOfTheSubjectPublicKeyInfo(OwnKeyType type) throws Exception {
        try (OwnKey key = OwnKey.generate(type)) {
            X509Certificate certificate = certificate(key);
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(certificate.getPublicKey().getEncoded());
            assertThat(key.fingerprint()).isEqualTo(KeyFingerprint.of(digest));
            certificate.verify(certificate.getPublicKey());
        }
    }

    @Test
    void certificateIsValidAtAnyTime() throws Exception {
        try (OwnKey key = OwnKey.generate(OwnKeyType.ED25519)) {
            X509Certificate certificate = certificate(key);
            assertThat(certificate.getNotBefore().toInstant()).isEqualTo(Instant.EPOCH);
            assertThat(certificate.getNotAfter().toInstant()).isEqualTo(Instant.parse("9999-12-31T23:59:59Z"));
        }
    }

    @Test
    void keepsItsKeyInAPrivateFile() throws Exception {
        Path file = directory.resolve("sub/key.pem");
        KeyFingerprint first;
        try (OwnKey key = OwnKey.loadOrCreate(file, OwnKeyType.P_256)) {
            first = key.fingerprint();
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(file.getParent()).isDirectoryNotContaining(other -> !other.equals(file));
        try (OwnKey key = OwnKey.loadOrCreate(file, OwnKeyType.ED25519)) {
            assertThat(key.fingerprint()).isEqualTo(first);
        }
    }

    @Test
    void rejectsAFileThatOthersCanRead() throws Exception {
        Path file = directory.resolve("key.pem");
        OwnKey.loadOrCreate(file, OwnKeyType.ED25519).close();
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> OwnKey.loadOrCreate(file, OwnKeyType.ED25519))
                .isInstanceOf(TlsConfigurationException.class)
                .hasMessageContaining("chmod 600");
    }

    @Test
    void rejectsAFileWithoutAKey() throws Exception {
        Path file = directory.resolve("key.pem");
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        assertThatThrownBy(() -> OwnKey.loadOrCreate(file, OwnKeyType.ED25519))
                .isInstanceOf(TlsConfigurationException.class)
                .hasMessageContaining("no private key in PEM");
    }

    @Test
    void readsAllowedKeysAndNamesTheLineOfAMistake() {
        KeyFingerprint key = KeyFingerprint.of(new byte[KeyFingerprint.BYTES]);
        AllowedKeys allowed = AllowedKeys.parse("allowed", List.of("# ours", "", "  " + key + "  anna's laptop "));
        assertThat(allowed.keys()).containsExactly(key);
        assertThat(allowed.nameOf(key)).isEqualTo("anna's laptop");
        assertThatThrownBy(() -> AllowedKeys.parse("allowed", List.of("", "sha256:short")))
                .isInstanceOf(TlsConfigurationException.class)
                .hasMessageStartingWith("allowed:2: not a fingerprint: \"sha256:short\"");
    }

    @Test
    void rejectsAllowedKeysThatOthersCanWrite() throws Exception {
        Path file = Files.writeString(directory.resolve("allowed-keys"), "");
        for (String permissions : new String[] {"rw-rw-r--", "rw-r--rw-"}) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
            assertThatThrownBy(() -> AllowedKeys.read(file))
                    .isInstanceOf(TlsConfigurationException.class)
                    .hasMessageContaining(permissions)
                    .hasMessageContaining("chmod go-w");
        }
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(AllowedKeys.read(file).keys()).isEmpty();
    }

    @Test
    void readsTheTextOfAFingerprint() {
        byte[] digest = new byte[KeyFingerprint.BYTES];
        digest[0] = (byte) 0xFB;
        KeyFingerprint key = KeyFingerprint.of(digest);
        assertThat(KeyFingerprint.parse(key.toString())).isEqualTo(key).hasSameHashCodeAs(key);
        assertThat(key.digest()).isEqualTo(digest);
        assertThatThrownBy(() -> KeyFingerprint.parse("md5:xyz")).hasMessageContaining("not a fingerprint");
    }

    private static X509Certificate certificate(OwnKey key) throws Exception {
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(key.identity().certificatePem()));
    }
}
