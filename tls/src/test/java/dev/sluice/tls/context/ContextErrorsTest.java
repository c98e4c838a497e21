package dev.sluice.tls.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.memory.Ledger;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.NativeBalance;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.tls.certificate.PemSource;
import dev.sluice.tls.failure.TlsConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests that an invalid context configuration is reported with value, cause and remedy, and leaks nothing. */
class ContextErrorsTest {
    private static final TestCertificates CERTIFICATES = TestCertificates.shared();

    @RegisterExtension
    final NativeBalance<Map<String, Ledger.Balance>> balance =
            NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    @TempDir
    Path directory;

    private final Credential good = CERTIFICATES.server();

    private static AbstractThrowableAssert<?, ? extends Throwable> assertRefused(ContextBuilder<?> builder) {
        return assertThatThrownBy(builder::build).isInstanceOf(TlsConfigurationException.class);
    }

    private Path file(String name, String content) throws IOException {
        return Files.writeString(directory.resolve(name), content);
    }

    @Test
    void reportsAMissingFile() {
        Path missing = directory.resolve("missing.pem");

        assertRefused(TlsContext.server().certificate(missing, good.keyFile()))
                .hasMessageContaining("certificate chain not found")
                .hasMessageContaining(missing.toString());
        assertRefused(TlsContext.server().certificate(good.chainFile(), missing))
                .hasMessageContaining("private key not found")
                .hasMessageContaining(missing.toString());
        assertRefused(TlsContext.client().trust(missing)).hasMessageContaining("trusted authorities not found");
    }

    @Test
    void reportsADirectoryInsteadOfAFile() {
        assertRefused(TlsContext.server().certificate(directory, good.keyFile()))
                .hasMessageContaining("not readable")
                .hasMessageContaining(directory.toString());
    }

    @Test
    void reportsContentThatIsNotPem() throws IOException {
        Path der = Files.write(directory.resolve("server.der"), new byte[] {0x30, (byte) 0x82, 1, 2});

        assertRefused(TlsContext.server().certificate(der, good.keyFile()))
                .hasMessageContaining("not PEM")
                .hasMessageContaining(der.toString())
                .hasMessageContaining("openssl x509 -inform der");
    }

    @Test
    void reportsAKeyInsteadOfACertificateAndTheReverse() {
        assertRefused(TlsContext.server().certificate(good.keyFile(), good.keyFile()))
                .hasMessageContaining(good.keyFile().toString())
                .hasMessageContaining("-----BEGIN CERTIFICATE-----");
        assertRefused(TlsContext.server().certificate(good.chainFile(), good.chainFile()))
                .hasMessageContaining(good.chainFile().toString())
                .hasMessageContaining("-----BEGIN PRIVATE KEY-----");
    }

    @Test
    void reportsADamagedCertificate() throws IOException {
        String pem = Files.readString(good.chainFile());
        Path cut = file("cut.pem", pem.substring(0, pem.length() / 2));
        Path second = file("second.pem", pem + pem.replace('M', 'N'));

        assertRefused(TlsContext.server().certificate(cut, good.keyFile())).hasMessageContaining(cut.toString());
        assertRefused(TlsContext.server().certificate(second, good.keyFile())).hasMessageContaining(second.toString());
    }

    @Test
    void reportsAKeyOfAnotherCertificate() {
        Credential other = CERTIFICATES.client();

        assertRefused(TlsContext.server().certificate(good.chainFile(), other.keyFile()))
                .hasMessageContaining("key does not fit certificate")
                .hasMessageContaining(good.chainFile().toString())
                .hasMessageContaining(other.keyFile().toString());
    }

    @Test
    void reportsAnEncryptedKey() throws IOException {
        Path encrypted = file(
                "encrypted.key", "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIB\n-----END ENCRYPTED PRIVATE KEY-----\n");

        assertRefused(TlsContext.server().certificate(good.chainFile(), encrypted))
                .hasMessageContaining("encrypted")
                .hasMessageContaining("openssl pkey -in " + encrypted);
    }

    @Test
    void rejectsExpiredAndFutureCertificates() {
        Credential expired = CERTIFICATES.expiredServer();

        assertRefused(TlsContext.server().certificate(expired.chainFile(), expired.keyFile()))
                .hasMessageContaining("has expired")
                .hasMessageContaining(expired.chainFile().toString())
                .hasMessageContaining("GMT")
                .hasMessageContaining("renew");
    }

    @Test
    void rejectsAServerWithoutACertificate() {
        assertRefused(TlsContext.server()).hasMessageContaining("requires a certificate");
    }

    @Test
    void rejectsUnknownSuitesAndGroups() {
        ServerContextBuilder builder = TlsContext.server().certificate(good.chainFile(), good.keyFile());

        assertRefused(builder.cipherList("NO-SUCH-SUITE"))
                .hasMessageContaining("\"NO-SUCH-SUITE\"")
                .hasMessageContaining("openssl ciphers");
        assertRefused(builder.cipherList("ECDHE+AESGCM").cipherSuites(List.of("TLS_NO_SUCH_SUITE")))
                .hasMessageContaining("TLS_NO_SUCH_SUITE");
        assertRefused(builder.cipherSuites(List.of()).groups(List.of("no-such-group")))
                .hasMessageContaining("no-such-group")
                .hasMessageContaining("X25519");
    }

    @Test
    void rejectsValuesOutOfRange() {
        ServerContextBuilder builder = TlsContext.server();

        assertThatThrownBy(() -> builder.versions(ProtocolVersion.TLS_1_3, ProtocolVersion.TLS_1_2))
                .hasMessageContaining("oldest=TLS_1_3");
        assertThatThrownBy(() -> builder.ringBytes(1000)).hasMessageContaining("ringBytes=1000");
        assertThatThrownBy(() -> builder.sessionTickets(-1)).hasMessageContaining("sessionTickets=-1");
        assertRefused(builder.certificate(good.chainFile(), good.keyFile()).alpn(List.of("")))
                .hasMessageContaining("ALPN");
    }

    @Test
    void readsPemFromMemoryAsFromFiles() throws IOException {
        PemSource chain = PemSource.bytes("the chain", Files.readAllBytes(good.chainFile()));
        PemSource key = PemSource.bytes("the key", Files.readAllBytes(good.keyFile()));

        try (TlsContext context = TlsContext.server().certificate(chain, key).build()) {
            assertThat(context.certificates()).hasSize(1);
            assertThat(context.certificates().getFirst().source()).isEqualTo("the chain");
            assertThat(context.certificates().getFirst().subject()).isEqualTo("CN=server");
        }
        assertRefused(TlsContext.server().certificate(chain, PemSource.bytes("junk", new byte[3])))
                .hasMessageContaining("junk");
    }

    @Test
    void trustsTheSystemsAuthoritiesByDefault() {
        try (TlsContext context = TlsContext.client().build()) {
            assertThat(context.isServer()).isFalse();
        }
    }

    @Test
    void buildsManyContexts() {
        ServerContextBuilder builder = TlsContext.server().certificate(good.chainFile(), good.keyFile());

        try (TlsContext first = builder.build();
                TlsContext second = builder.build()) {
            assertThat(first.certificates()).isEqualTo(second.certificates());
        }
    }
}
