package dev.sluice.gateway;

import static dev.sluice.gateway.ConfiguredGateway.GREETING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.CertificateRequest.KeyAlgorithm;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import dev.sluice.testkit.TestCertificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Certificates in all forms, served to clients of which each can verify another kind. */
class CertificateKindsTest extends GatewayConformance {
    private static final TestCertificates CERTIFICATES = TestCertificates.shared();
    private static final String PASSPHRASE = "open sesame";

    private static final String THREE_KINDS = """
            listeners:
              - certificates: [kinds]
            certificates:
              kinds: {chain: [EC.pem, RSA.pem, Ed25519.pem], key: [EC.key, RSA.key, Ed25519.key]}
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    @BeforeEach
    void writeKinds() throws IOException {
        write("EC", KeyAlgorithm.ECDSA_P256);
        write("RSA", KeyAlgorithm.RSA_2048);
        write("Ed25519", KeyAlgorithm.ED25519);
    }

    private Credential write(String name, KeyAlgorithm algorithm) throws IOException {
        Credential credential =
                CERTIFICATES.issue(CertificateRequest.named("kind-" + name).with(algorithm));
        copy(credential, name);
        return credential;
    }

    private void copy(Credential credential, String name) throws IOException {
        Files.copy(credential.chainFile(), directory.resolve(name + ".pem"));
        Files.copy(credential.keyFile(), directory.resolve(name + ".key"));
    }

    @ParameterizedTest
    @CsvSource({
        "-tls1_3, ecdsa_secp256r1_sha256, EC",
        "-tls1_3, rsa_pss_rsae_sha256, RSA",
        "-tls1_3, ed25519, Ed25519",
        "-tls1_3, rsa_pss_rsae_sha256:ecdsa_secp256r1_sha256:ed25519, EC",
        "-tls1_2, ECDSA+SHA256, EC",
        "-tls1_2, RSA+SHA256, RSA",
        "-tls1_2, ed25519, Ed25519"
    })
    void opensslGetsWhatItCanVerify(String version, String algorithms, String kind) {
        ConfiguredGateway gateway = start(THREE_KINDS);

        assertThat(gateway.ask("localhost", version, "-sigalgs", algorithms))
                .contains("Verify return code: 0 (ok)", GREETING)
                .containsPattern(subject("kind-" + kind));
    }

    @ParameterizedTest
    @CsvSource({
        "+VERS-TLS1.3:-SIGN-ALL:+SIGN-ECDSA-SECP256R1-SHA256, EC",
        "+VERS-TLS1.3:-SIGN-ALL:+SIGN-RSA-PSS-RSAE-SHA256:+SIGN-ECDSA-SHA256, RSA",
        "+VERS-TLS1.3:-SIGN-ALL:+SIGN-EDDSA-ED25519:+SIGN-ECDSA-SHA256, Ed25519",
        "+VERS-TLS1.2:-KX-ALL:+ECDHE-RSA, RSA",
        "+VERS-TLS1.2:-KX-ALL:+ECDHE-ECDSA, EC"
    })
    void gnutlsGetsWhatItCanVerify(String priorities, String kind) {
        ConfiguredGateway gateway = start(THREE_KINDS);

        ForeignResult result = ForeignProgram.required("gnutls-cli", "gnutls-bin")
                .command(
                        "--x509cafile=" + CERTIFICATES.rootFile(),
                        "--priority=NORMAL:-VERS-ALL:" + priorities,
                        "--port=" + gateway.port(),
                        "localhost")
                .input("hello\n")
                .inputStaysOpen()
                .run();

        assertThat(result.output() + result.errors())
                .contains("subject `CN=kind-" + kind + "'", "The certificate is trusted", GREETING);
    }

    @Test
    void keysMayBeEncryptedAndInPkcs12() throws IOException {
        Files.writeString(directory.resolve("pass"), PASSPHRASE + "\n");
        openssl("pkcs8 -topk8 -in EC.key -out encrypted.key -passout file:pass");
        openssl("pkcs12 -export -in RSA.pem -inkey RSA.key -out rsa.p12 -passout file:pass");
        ConfiguredGateway gateway = start("""
                listeners:
                  - certificates: [ec]
                  - certificates: [rsa]
                certificates:
                  ec: {chain: EC.pem, key: encrypted.key, passphrase-file: pass}
                  rsa: {pkcs12: rsa.p12, passphrase-file: pass}
                """);

        assertThat(gateway.ask("localhost")).contains(GREETING).containsPattern(subject("kind-EC"));
        int second = gateway.gateway().addresses().get(1).getPort();
        assertThat(gateway.ask("localhost", "-connect", "127.0.0.1:" + second))
                .contains(GREETING)
                .containsPattern(subject("kind-RSA"));
    }

    /** Each in another form, as other programs lay them down; two kinds for one name find each other. */
    @Test
    void aDirectoryServesAllThatLieInIt() throws IOException {
        Path certificates = Files.createDirectories(directory.resolve("certs"));
        lay(certificates.resolve("a.crt"), certificates.resolve("a.key"), "a.example", KeyAlgorithm.ECDSA_P256);
        Credential both = lay(directory.resolve("b1"), directory.resolve("b2"), "b.example", KeyAlgorithm.ECDSA_P256);
        Files.writeString(
                certificates.resolve("b.pem"), Files.readString(both.chainFile()) + Files.readString(both.keyFile()));
        Path certbot = Files.createDirectories(certificates.resolve("c.example"));
        lay(certbot.resolve("fullchain.pem"), certbot.resolve("privkey.pem"), "c.example", KeyAlgorithm.ECDSA_P256);
        Files.copy(certbot.resolve("fullchain.pem"), certbot.resolve("cert.pem"));
        lay(certificates.resolve("a-rsa.crt"), certificates.resolve("a-rsa.key"), "a.example", KeyAlgorithm.RSA_2048);
        Files.writeString(certificates.resolve("README"), "not a certificate");
        Files.writeString(certificates.resolve(".hidden.pem"), "not a certificate");

        ConfiguredGateway gateway = start("""
                listeners:
                  - certificates: [many]
                certificates:
                  many: {dir: certs}
                """);

        assertThat(gateway.gateway().config().certificates())
                .extracting(certificate ->
                        certificate.name() + " " + certificate.keyPairs().size())
                .containsExactly("many/a-rsa.crt 2", "many/b.pem 1", "many/c.example/fullchain.pem 1");
        for (String host : List.of("a.example", "b.example", "c.example")) {
            assertThat(gateway.ask(host, "-verify_hostname", host)).contains("Verify return code: 0 (ok)", GREETING);
        }
        assertThat(gateway.ask("a.example", "-tls1_3", "-sigalgs", "rsa_pss_rsae_sha256"))
                .containsPattern(subject("a.example-RSA_2048"));
    }

    @Test
    void ofTwoForTheSameNamesTheOneThatLastsLongerIsServed() throws IOException {
        Path certificates = Files.createDirectories(directory.resolve("certs"));
        for (int days : new int[] {20, 29, 25}) {
            Credential credential = CERTIFICATES.issue(CertificateRequest.named("lasts-" + days)
                    .forHosts("localhost")
                    .valid(-1, days));
            Files.copy(credential.chainFile(), certificates.resolve(days + ".pem"));
            Files.copy(credential.keyFile(), certificates.resolve(days + ".key"));
        }
        ConfiguredGateway gateway = start("""
                listeners:
                  - certificates: [many]
                certificates:
                  many: {dir: certs}
                """);

        assertThat(gateway.ask("localhost")).contains(GREETING).containsPattern(subject("lasts-29"));
        assertThat(fixture.lines())
                .filteredOn(line -> line.contains("has the same names"))
                .hasSize(2);
    }

    @Test
    void aCertificateForAHundredNames() throws IOException {
        String[] names =
                IntStream.range(0, 100).mapToObj(i -> "host-" + i + ".example").toArray(String[]::new);
        copy(CERTIFICATES.issue(CertificateRequest.named("hundred").forHosts(names)), "hundred");
        ConfiguredGateway gateway = start("""
                listeners:
                  - certificates: [other, hundred]
                certificates:
                  other: {chain: EC.pem, key: EC.key}
                  hundred: {chain: hundred.pem, key: hundred.key}
                """);

        for (int i = 0; i < names.length; i += 33) {
            assertThat(gateway.ask(names[i], "-verify_hostname", names[i]))
                    .contains("Verify return code: 0 (ok)", GREETING)
                    .containsPattern(subject("hundred"));
        }
        assertThat(gateway.ask("host-100.example")).containsPattern(subject("kind-EC"));
    }

    private static Credential lay(Path chain, Path key, String host, KeyAlgorithm algorithm) throws IOException {
        Credential credential = CERTIFICATES.issue(
                CertificateRequest.named(host + "-" + algorithm).forHosts(host).with(algorithm));
        Files.copy(credential.chainFile(), chain);
        Files.copy(credential.keyFile(), key);
        return credential;
    }

    /** Returns a subject with blanks or without, as the version of s_client prints it. */
    private static String subject(String commonName) {
        return "subject=CN ?= ?" + Pattern.quote(commonName) + "\\s";
    }

    private ConfiguredGateway start(String yaml) {
        return ConfiguredGateway.start(fixture, transport, directory, yaml);
    }

    private void openssl(String words) {
        ForeignProgram.required("openssl", "openssl")
                .command(words.split(" "))
                .in(directory)
                .run()
                .expectSuccess();
    }
}
