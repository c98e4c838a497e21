package dev.sluice.config.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.config.certificate.AgreeingTlsCheck;
import dev.sluice.config.certificate.CertificateFiles;
import dev.sluice.config.certificate.KeyPairFiles;
import dev.sluice.config.read.ConfigFile;
import dev.sluice.config.yaml.ConfigException;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The sections of certificates and client authentication. */
class CertificateSectionTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    @BeforeEach
    void writeFiles() throws IOException {
        copy(TestCertificates.shared().server(), "shop");
        copy(TestCertificates.shared().serverRsa(), "rsa");
        Files.copy(TestCertificates.shared().rootFile(), directory.resolve("root.pem"));
        Files.writeString(directory.resolve("pass"), "secret\n");
        Files.writeString(directory.resolve("root.crl"), "");
        Files.createDirectories(directory.resolve("empty"));
    }

    private void copy(Credential credential, String name) throws IOException {
        Files.copy(credential.chainFile(), directory.resolve(name + ".pem"));
        Files.copy(credential.keyFile(), directory.resolve(name + ".key"));
    }

    @Test
    void readsAKeyFromTheFileOfItsCertificate() throws Exception {
        assertThat(files("{chain: shop.pem}"))
                .containsExactly(CertificateFiles.pem(directory.resolve("shop.pem"), directory.resolve("shop.pem")));
    }

    @Test
    void readsOnePassphraseForAllKeysOrOneForEach() throws Exception {
        Path pass = directory.resolve("pass");
        String pair = "{chain: [shop.pem, rsa.pem], key: [shop.key, rsa.key], ";

        assertThat(files(pair + "passphrase-file: pass}"))
                .extracting(CertificateFiles::passphrase)
                .containsExactly(pass, pass);
        assertThat(files(pair + "passphrase-file: [pass, shop.key]}"))
                .extracting(CertificateFiles::passphrase)
                .containsExactly(pass, directory.resolve("shop.key"));
    }

    @Test
    void listsTheFilesToWatch() throws Exception {
        GatewayConfig config = read(
                "{chain: shop.pem, key: shop.key, passphrase-file: pass}",
                "client-auth: optional, client-ca: root.pem, client-crl: root.crl,"
                        + " hosts: [{sni: a.example, client-auth: required, client-ca: rsa.pem}]");

        assertThat(config.files())
                .extracting(file -> directory.relativize(file).toString())
                .containsExactly("shop.pem", "shop.key", "pass", "root.pem", "root.crl", "rsa.pem");
    }

    @Test
    void inheritsThePolicyOfTheListener() throws Exception {
        GatewayConfig config = read(
                "{chain: shop.pem, key: shop.key}",
                "client-ca: root.pem, client-depth: 3, hosts: [{sni: A.example., client-auth: required},"
                        + " {sni: \"*.b.example\", client-auth: optional, client-ca: rsa.pem}]");
        TlsOptions tls = config.listeners().getFirst().tls();

        assertThat(tls.client()).isEqualTo(ClientPolicy.NONE);
        assertThat(tls.hosts())
                .extracting(HostPolicy::name)
                .containsExactly(new ServerNamePattern("a.example"), new ServerNamePattern("*.b.example"));
        assertThat(tls.hosts().get(0).client().authorities()).isEqualTo(directory.resolve("root.pem"));
        assertThat(tls.hosts().get(0).client().depth()).isEqualTo(3);
        assertThat(tls.hosts().get(1).client().authorities()).isEqualTo(directory.resolve("rsa.pem"));
        assertThat(tls.hosts().get(1).client().depth()).isEqualTo(ClientPolicy.ANY_DEPTH);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{}; but has none of them",
                "{chain: shop.pem, pkcs12: shop.pem}; but has chain and pkcs12",
                "{pkcs12: shop.pem, key: shop.key}; key has no effect with pkcs12",
                "{dir: empty, key: shop.key}; key has no effect with dir",
                "{dir: absent}; absent does not exist",
                "{dir: shop.pem}; shop.pem is not a directory",
                "{dir: empty}; empty contains no certificate; add NAME.pem",
                "{chain: [shop.pem, rsa.pem], key: [shop.key, rsa.key], passphrase-file: [pass, pass, pass]}; 3"
                        + " passphrase files and 2 keys",
                "{chain: shop.pem, key: shop.key, passphrase-file: absent}; absent does not exist"
            })
    void rejectsAContradictoryCertificate(String certificate, String complaint) throws IOException {
        assertThat(problem(certificate, "alpn: []")).contains(complaint);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "client-auth: required; without an authority",
                "client-ca: root.pem; client-ca has no effect without client-auth",
                "client-auth: none, client-crl: root.crl; client-crl applies to the authorities of client-ca",
                "hosts: [{sni: a.example, client-auth: required}]; without an authority",
                "hosts: [{client-auth: none}]; lacks the key \"sni\"",
                "hosts: [{sni: \"a.*\", client-auth: none}]; write a host name",
                "hosts: [{sni: a.example}, {sni: A.example}]; host a.example is listed twice",
                "hosts: [{sni: a.example, client-aut: none}]; did you mean \"client-auth\"?",
                "client-auth: required, client-ca: root.pem, client-depth: 101; 101",
                "client-names: ['cn:anna']; client-names has no effect without client-auth",
                "client-auth: required, client-ca: root.pem, client-names: [anna]; write cn:, dns:, email:, uri:"
                        + " or sha256:",
                "client-auth: required, client-ca: root.pem, client-names: ['dns:a.*']; stands for the whole first"
                        + " label",
                "client-auth: required, client-ca: root.pem, client-names: ['uri:spiffe://*/b']; what follows the"
                        + " last slash",
                "client-auth: required, client-ca: root.pem, client-names: ['sha256:12:34']; has 4 characters"
            })
    void rejectsContradictoryClientAuthentication(String listener, String complaint) throws IOException {
        assertThat(problem("{chain: shop.pem, key: shop.key}", listener)).contains(complaint);
    }

    private List<CertificateFiles> files(String certificate) throws Exception {
        return read(certificate, "alpn: [h2]").certificates().getFirst().keyPairs().stream()
                .map(KeyPairFiles::files)
                .toList();
    }

    private String problem(String certificate, String listener) throws IOException {
        Path file = write(certificate, listener);
        return String.valueOf(
                catchThrowableOfType(ConfigException.class, () -> ConfigFile.read(file, new AgreeingTlsCheck()))
                        .getMessage());
    }

    private GatewayConfig read(String certificate, String listener) throws Exception {
        return ConfigFile.read(write(certificate, listener), new AgreeingTlsCheck());
    }

    private Path write(String certificate, String listener) throws IOException {
        return Files.writeString(
                directory.resolve("sluice.yaml"),
                "listeners: [{address: \"127.0.0.1:0\", certificates: [shop], backend: web, " + listener + "}]\n"
                        + "certificates: {shop: " + certificate + "}\n"
                        + "backends: {web: {servers: [127.0.0.1:80]}}\n");
    }
}
