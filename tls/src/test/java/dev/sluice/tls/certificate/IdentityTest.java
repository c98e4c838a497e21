package dev.sluice.tls.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.memory.Ledger;
import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.CertificateRequest.KeyAlgorithm;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import dev.sluice.testkit.NativeBalance;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.tls.JdkPeer;
import dev.sluice.tls.Wire;
import dev.sluice.tls.context.ClientAuthentication;
import dev.sluice.tls.context.ServerContextBuilder;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.engine.EngineKind;
import dev.sluice.tls.engine.OurPeer;
import dev.sluice.tls.failure.TlsConfigurationException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of certificates and keys in all the formats and orders that operators use, written by other programs. */
class IdentityTest {
    private static final TestCertificates CERTIFICATES = TestCertificates.shared();
    private static final String PASSPHRASE = "correct horse; battery=staple";

    @RegisterExtension
    final NativeBalance<Map<String, Ledger.Balance>> balance =
            NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    @TempDir
    Path directory;

    private final Credential chained = CERTIFICATES.serverWithIntermediate();

    // --- chains -----------------------------------------------------------------------------------------------------

    @Test
    void sortsTheChainAndOmitsTheRoot() throws IOException {
        List<X509Certificate> all = new ArrayList<>(chained.chain());
        all.add(CERTIFICATES.rootCertificate());
        for (int seed = 0; seed < 6; seed++) {
            Collections.shuffle(all, new Random(seed));
            Path file = pem("shuffled.pem", all);

            assertThat(sent(IdentitySource.pem(file, chained.keyFile()))).isEqualTo(chained.chain());
            assertThat(warnings(file, chained.keyFile()))
                    .singleElement()
                    .asString()
                    .contains(
                            file.toString(),
                            CERTIFICATES
                                    .rootCertificate()
                                    .getSubjectX500Principal()
                                    .getName())
                    .contains("a root, which is not sent");
        }
    }

    /** Keeps the root that issued the certificate itself: an OCSP request needs the issuer. */
    @Test
    void keepsButDoesNotSendTheIssuingRoot() throws IOException {
        Credential direct = CERTIFICATES.server();
        Path file = pem("direct.pem", List.of(CERTIFICATES.rootCertificate(), direct.certificate()));

        assertThat(sent(IdentitySource.pem(file, direct.keyFile()))).isEqualTo(direct.chain());
        assertThat(warnings(file, direct.keyFile())).isEmpty();
        try (Identity identity = Identity.load(IdentitySource.pem(file, direct.keyFile()))) {
            assertThat(new String(identity.issuersPem(), StandardCharsets.US_ASCII))
                    .startsWith(new String(identity.chainPem(), StandardCharsets.US_ASCII))
                    .hasSizeGreaterThan(identity.chainPem().length);
        }
    }

    @Test
    void warnsAboutAndOmitsUnrelatedCertificates() throws IOException {
        List<X509Certificate> all = new ArrayList<>(chained.chain());
        all.add(1, CERTIFICATES.client().certificate());
        all.add(chained.chain().getLast());
        Path file = pem("strangers.pem", all);

        assertThat(sent(IdentitySource.pem(file, chained.keyFile()))).isEqualTo(chained.chain());
        assertThat(warnings(file, chained.keyFile()))
                .hasSize(2)
                .anySatisfy(line -> assertThat(line).contains("CN=client, which does not belong to the chain"))
                .anySatisfy(line -> assertThat(line).contains("CN=Sluice Test Intermediate twice"));
    }

    /** Checks that issuers are matched by signature: an authority may reuse its name with another key. */
    @Test
    void ignoresAnIssuerOfTheSameNameWithAnotherKey() throws IOException {
        X509Certificate other =
                new TestCertificates().serverWithIntermediate().chain().getLast();
        assertThat(other.getSubjectX500Principal())
                .isEqualTo(chained.chain().getLast().getSubjectX500Principal());
        Path file = pem(
                "namesake.pem",
                List.of(other, chained.certificate(), chained.chain().getLast()));

        assertThat(sent(IdentitySource.pem(file, chained.keyFile()))).isEqualTo(chained.chain());
        assertThat(warnings(file, chained.keyFile())).singleElement().asString().contains("does not belong");
    }

    /** Checks that libssl does not complete a chain from client authorities, which the context holds. */
    @Test
    void doesNotCompleteTheChainFromClientAuthorities() {
        ServerContextBuilder builder = TlsContext.server()
                .certificate(
                        CERTIFICATES.server().chainFile(), CERTIFICATES.server().keyFile())
                .clientAuthentication(ClientAuthentication.OPTIONAL, CERTIFICATES.rootFile());

        assertThat(sent(builder)).containsExactly(CERTIFICATES.server().certificate());
    }

    @Test
    void readsCertificateAndKeyFromOneFile() throws IOException {
        Path both = Files.writeString(
                directory.resolve("both.pem"),
                Files.readString(chained.keyFile()) + Files.readString(chained.chainFile()));

        assertThat(sent(IdentitySource.pem(both, both))).isEqualTo(chained.chain());
    }

    @Test
    void rejectsAKeyOfNoCertificate() throws IOException {
        Path file = pem("two.pem", List.of(CERTIFICATES.client().certificate(), chained.certificate()));

        assertThatThrownBy(() -> Identity.load(
                        IdentitySource.pem(file, CERTIFICATES.server().keyFile())))
                .isInstanceOf(TlsConfigurationException.class)
                .hasMessageContaining("key does not fit certificate")
                .hasMessageContaining("CN=client and 1 more");
    }

    // --- keys -------------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource(KeyAlgorithm.class)
    void supportsEveryKeyType(KeyAlgorithm algorithm) {
        Credential credential = CERTIFICATES.issue(
                CertificateRequest.named("server-" + algorithm).with(algorithm));

        assertThat(sent(IdentitySource.pem(credential.chainFile(), credential.keyFile())))
                .containsExactly(credential.certificate());
    }

    /** Decrypts PKCS #8 with old and new ciphers, and OpenSSL's traditional format. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "pkcs8 -topk8 -v2 aes-256-cbc -v2prf hmacWithSHA256",
                "pkcs8 -topk8 -v2 des3",
                "pkcs8 -topk8 -scrypt",
                "ec -aes128"
            })
    void decryptsAKeyWithItsPassphrase(String how) throws IOException {
        Path encrypted = directory.resolve("encrypted.key");
        openssl(how + " -in " + chained.keyFile() + " -out " + encrypted, "-passout", "pass:" + PASSPHRASE);
        assertThat(encrypted).content().contains("ENCRYPTED");
        IdentitySource source = IdentitySource.pem(chained.chainFile(), encrypted);

        assertThat(sent(source.withPassphrase(file("right", PASSPHRASE + "\nsecond line\n"))))
                .isEqualTo(chained.chain());
        assertRefused(source.withPassphrase(file("wrong", "wrong\n")), "does not decrypt", "wrong", "openssl pkey -in");
        assertRefused(source.withPassphrase(file("empty", "\n")), "passphrase is empty", "empty");
        assertRefused(source, "private key is encrypted", encrypted.toString(), "passphrase-file");
        assertRefused(source.withPassphrase(directory.resolve("absent")), "passphrase not found", "absent");
    }

    @Test
    void ignoresAnUnneededPassphrase() throws IOException {
        IdentitySource source =
                IdentitySource.pem(chained.chainFile(), chained.keyFile()).withPassphrase(file("unneeded", "x"));

        assertThat(sent(source)).isEqualTo(chained.chain());
    }

    // --- PKCS #12 ---------------------------------------------------------------------------------------------------

    @Test
    void readsAStoreOfTheJdk() throws IOException, GeneralSecurityException {
        Path file = directory.resolve("jdk.p12");
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry(
                "server",
                chained.key(),
                PASSPHRASE.toCharArray(),
                chained.chain().toArray(Certificate[]::new));
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, PASSPHRASE.toCharArray());
        }
        IdentitySource source = IdentitySource.pkcs12(file);

        assertThat(sent(source.withPassphrase(file("right", PASSPHRASE)))).isEqualTo(chained.chain());
        assertRefused(source.withPassphrase(file("wrong", "wrong")), "passphrase in", "is wrong");
        assertRefused(source, "it is encrypted", "passphrase-file", file.toString());
    }

    @Test
    void readsAStoreOfOpenssl() throws IOException {
        Path file = directory.resolve("openssl.p12");
        Path whole = pem("whole.pem", List.of(chained.chain().getLast(), CERTIFICATES.rootCertificate()));
        openssl(
                "pkcs12 -export -out " + file + " -inkey " + chained.keyFile() + " -in " + chained.chainFile()
                        + " -certfile " + whole,
                "-passout",
                "pass:" + PASSPHRASE);

        assertThat(sent(IdentitySource.pkcs12(file).withPassphrase(file("right", PASSPHRASE))))
                .isEqualTo(chained.chain());
    }

    @Test
    void readsAStoreWithoutAPassphraseAndRejectsAnotherFile() throws IOException {
        Path open = directory.resolve("open.p12");
        openssl(
                "pkcs12 -export -out " + open + " -inkey " + chained.keyFile() + " -in " + chained.chainFile(),
                "-passout",
                "pass:");

        assertThat(sent(IdentitySource.pkcs12(open))).isEqualTo(chained.chain());
        assertRefused(
                IdentitySource.pkcs12(chained.chainFile()),
                "PKCS #12 file not usable",
                chained.chainFile().toString());
        assertRefused(IdentitySource.pkcs12(directory.resolve("absent.p12")), "not found");
    }

    // --- use of a loaded identity -----------------------------------------------------------------------------------

    @Test
    void servesSeveralContextsAndIsOutlivedByThem() {
        ServerContextBuilder builder = TlsContext.server();
        Identity identity = Identity.load(IdentitySource.pem(chained.chainFile(), chained.keyFile()));
        builder.certificate(identity);
        try (TlsContext one = builder.build();
                TlsContext two = builder.build()) {
            identity.close();
            assertThat(sent(one)).isEqualTo(chained.chain());
            assertThat(sent(two)).isEqualTo(chained.chain());
        }
    }

    private List<String> warnings(Path certificates, Path key) {
        try (Identity identity = Identity.load(IdentitySource.pem(certificates, key))) {
            return identity.warnings();
        }
    }

    private static void assertRefused(IdentitySource source, String... parts) {
        assertThatThrownBy(() -> Identity.load(source).close())
                .isInstanceOf(TlsConfigurationException.class)
                .hasMessageContainingAll(parts);
    }

    private static List<X509Certificate> sent(IdentitySource source) {
        return sent(TlsContext.server().certificate(source));
    }

    private static List<X509Certificate> sent(ServerContextBuilder builder) {
        try (TlsContext context = builder.build()) {
            return sent(context);
        }
    }

    /** Returns the chain that a JDK client receives. */
    private static List<X509Certificate> sent(TlsContext context) {
        try (OurPeer server = EngineKind.MEMORY.server(context);
                JdkPeer client = JdkPeer.client(CERTIFICATES.rootCertificate(), "localhost", _ -> {})) {
            Wire.whole().handshake(client, server);
            assertThat(client.failure()).isEmpty();
            List<X509Certificate> certificates = new ArrayList<>();
            for (Certificate each : client.session().getPeerCertificates()) {
                certificates.add((X509Certificate) each);
            }
            return certificates;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private Path file(String name, String content) throws IOException {
        return Files.writeString(directory.resolve(name), content);
    }

    private Path pem(String name, List<X509Certificate> certificates) throws IOException {
        StringBuilder text = new StringBuilder();
        Base64.Encoder lines = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));
        for (X509Certificate certificate : certificates) {
            text.append("-----BEGIN CERTIFICATE-----\n")
                    .append(lines.encodeToString(encoded(certificate)))
                    .append("\n-----END CERTIFICATE-----\n");
        }
        return file(name, text.toString());
    }

    private static byte[] encoded(X509Certificate certificate) {
        try {
            return certificate.getEncoded();
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static void openssl(String words, String... more) {
        List<String> all = new ArrayList<>(List.of(words.split(" ")));
        all.addAll(List.of(more));
        ForeignResult result = ForeignProgram.required("openssl", "openssl")
                .command(all.toArray(String[]::new))
                .run();
        assertThat(result.exitCode()).as(result.toString()).isZero();
    }
}
