package dev.sluice.gateway.certificate;

import static dev.sluice.gateway.ConfiguredGateway.GREETING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.config.certificate.UnusableCertificate;
import dev.sluice.config.certificate.UnusableCertificate.Consequence;
import dev.sluice.config.model.CertificateConfig;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.read.ConfigFile;
import dev.sluice.config.yaml.ConfigException;
import dev.sluice.gateway.ConfiguredGateway;
import dev.sluice.gateway.GatewayConformance;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.CertificateRequest.KeyAlgorithm;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.TestCertificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One bad file keeps no other certificate from being served and renewed. */
class UnusableCertificatesTest extends GatewayConformance {
    private static final TestCertificates CERTIFICATES = TestCertificates.shared();

    private static final String DIRECTORY = """
            listeners:
              - certificates: [sites]
            certificates:
              sites: {dir: certs}
            """;

    private static final String BOTH = """
            listeners:
              - certificates: [shop, sites]
            certificates:
              shop: {chain: shop.pem, key: shop.key}
              sites: {dir: certs}
            """;

    private final Credential first = issue("first");
    private final Credential second = issue("second");
    private final Credential renewed = issue("renewed");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    @BeforeEach
    void writeFiles() throws IOException {
        Files.createDirectories(certs());
        lay(first, certs().resolve("first"));
        lay(second, directory.resolve("shop"));
    }

    private static Credential issue(String name) {
        return CERTIFICATES.issue(CertificateRequest.named("usable-" + name).forHosts(name + ".example"));
    }

    private Path certs() {
        return directory.resolve("certs");
    }

    private static void lay(Credential credential, Path stem) throws IOException {
        Files.copy(credential.chainFile(), with(stem, ".pem"), StandardCopyOption.REPLACE_EXISTING);
        Files.copy(credential.keyFile(), with(stem, ".key"), StandardCopyOption.REPLACE_EXISTING);
    }

    private static Path with(Path stem, String ending) {
        return stem.resolveSibling(stem.getFileName() + ending);
    }

    /** A file that no certificate can be loaded from. */
    enum Bad {
        GARBAGE {
            @Override
            void at(Path stem) throws IOException {
                Files.writeString(with(stem, ".pem"), "-----BEGIN CERTIFICATE-----\nno base64\n");
            }
        },
        EMPTY {
            @Override
            void at(Path stem) throws IOException {
                Files.writeString(with(stem, ".pem"), "");
            }
        },
        CUT_OFF {
            @Override
            void at(Path stem) throws IOException {
                String whole = Files.readString(CERTIFICATES.server().chainFile());
                Files.writeString(with(stem, ".pem"), whole.substring(0, whole.length() / 2));
            }
        },
        WITHOUT_KEY {
            @Override
            void at(Path stem) throws IOException {
                Files.copy(CERTIFICATES.server().chainFile(), with(stem, ".pem"), StandardCopyOption.REPLACE_EXISTING);
                Files.deleteIfExists(with(stem, ".key"));
            }
        },
        WITH_ANOTHER_KEY {
            @Override
            void at(Path stem) throws IOException {
                lay(CERTIFICATES.server(), stem);
                Files.copy(CERTIFICATES.serverRsa().keyFile(), with(stem, ".key"), StandardCopyOption.REPLACE_EXISTING);
            }
        },
        DANGLING_LINK {
            @Override
            void at(Path stem) throws IOException {
                Files.deleteIfExists(with(stem, ".pem"));
                Files.createSymbolicLink(with(stem, ".pem"), Path.of("nowhere"));
            }
        };

        abstract void at(Path stem) throws IOException;
    }

    private GatewayConfig read(String yaml, OpenSslCheck check) throws IOException, ConfigException {
        Path file = Files.writeString(
                directory.resolve("sluice.yaml"),
                yaml.replace("- certificates", "- address: 127.0.0.1:0\n    backend: main\n    certificates")
                        + "backends:\n  main: {servers: [\"127.0.0.1:9\"]}\n");
        return ConfigFile.read(file, check);
    }

    private static List<String> names(GatewayConfig config) {
        return config.certificates().stream()
                .flatMap(certificate -> certificate.serverNames().stream())
                .map(Object::toString)
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void aBadFileInADirectoryIsSkipped(Bad bad) throws Exception {
        bad.at(certs().resolve("bad"));
        try (OpenSslCheck check = new OpenSslCheck()) {
            GatewayConfig config = read(DIRECTORY, check);

            assertThat(names(config)).containsExactly("first.example");
            assertThat(config.sources().unusable()).singleElement().satisfies(unusable -> {
                assertThat(unusable.name()).isEqualTo("sites");
                assertThat(unusable.consequence()).isEqualTo(Consequence.SKIPPED);
                assertThat(unusable.line())
                        .startsWith("certificate sites: skipped, all others are served (")
                        .contains(certs().resolve("bad.pem").toString());
            });
            assertThat(config.files()).as("watched").contains(certs(), certs().resolve("bad.pem"));
        }
    }

    @Test
    void aPkcs12FileWithAnotherPassphraseIsSkipped() throws Exception {
        Files.writeString(directory.resolve("pass"), "open sesame\n");
        String export = "pkcs12 -export -in shop.pem -inkey shop.key -out certs/bad.p12 -passout pass:other";
        ForeignProgram.required("openssl", "openssl")
                .command(export.split(" "))
                .in(directory)
                .run()
                .expectSuccess();
        try (OpenSslCheck check = new OpenSslCheck()) {
            GatewayConfig config = read(DIRECTORY.replace("certs}", "certs, passphrase-file: pass}"), check);

            assertThat(names(config)).containsExactly("first.example");
            assertThat(config.sources().unusable())
                    .singleElement()
                    .extracting(UnusableCertificate::problem)
                    .asString()
                    .contains("bad.p12");
        }
    }

    @Test
    void aCertificateThatNoClientCanAskForIsSkippedWhereItIsNotTheFirst() throws Exception {
        Credential nameless =
                CERTIFICATES.issue(CertificateRequest.named("nameless").forHosts());
        lay(nameless, certs().resolve("nameless"));
        try (OpenSslCheck check = new OpenSslCheck()) {
            GatewayConfig config = read(DIRECTORY, check);

            assertThat(config.listeners().getFirst().certificates()).hasSize(1);
            assertThat(config.sources().unusable())
                    .singleElement()
                    .extracting(UnusableCertificate::problem)
                    .asString()
                    .contains("nameless.pem", "no subjectAltName");
        }
    }

    @Test
    void aDirectoryThatCannotBeReadIsSkippedBesideOthers() throws Exception {
        Assumptions.assumeFalse(System.getProperty("user.name").equals("root"), "root reads every directory");
        Path locked = Files.createDirectories(certs().resolve("locked"));
        Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("---------"));
        try (OpenSslCheck check = new OpenSslCheck()) {
            assertThat(read(DIRECTORY, check).sources().unusable())
                    .singleElement()
                    .extracting(UnusableCertificate::problem)
                    .asString()
                    .contains(locked.toString());
        } finally {
            Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("rwx------"));
        }
    }

    @Test
    void aListenerWithoutAnyOtherCertificateIsAnError() throws Exception {
        Bad.GARBAGE.at(certs().resolve("first"));
        try (OpenSslCheck check = new OpenSslCheck()) {
            assertThatThrownBy(() -> read(DIRECTORY, check))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("the listener has no usable certificate: none of sites can be used")
                    .hasMessageContaining(certs().resolve("first.pem").toString());
            assertThat(names(read(BOTH, check))).containsExactly("second.example");
        }
        Files.delete(certs().resolve("first.pem"));
        try (OpenSslCheck check = new OpenSslCheck()) {
            assertThatThrownBy(() -> read(DIRECTORY, check)).hasMessageContaining("contains no certificate");
            assertThat(read(BOTH, check).sources().unusable()).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatWasServedFromADirectoryStaysInUse(Bad bad) throws Exception {
        try (OpenSslCheck start = new OpenSslCheck()) {
            List<CertificateConfig> before = read(BOTH, start).certificates();
            bad.at(certs().resolve("first"));

            try (OpenSslCheck reload = OpenSslCheck.ofReload(start)) {
                assertKept(read(BOTH, reload), before, "sites");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aBadRenewalOfANamedFileKeepsItAndRenewsTheOthers(Bad bad) throws Exception {
        try (OpenSslCheck start = new OpenSslCheck()) {
            List<CertificateConfig> before = read(BOTH, start).certificates();
            bad.at(directory.resolve("shop"));
            lay(renewed, certs().resolve("first"));

            try (OpenSslCheck reload = OpenSslCheck.ofReload(start)) {
                assertThatThrownBy(() -> read(BOTH, reload))
                        .as("whoever asks for a reload is told")
                        .hasMessageContaining("shop.");
            }
            Set<Path> changed = Set.of(
                    directory.resolve("shop.pem"),
                    directory.resolve("shop.key"),
                    certs().resolve("first.pem"),
                    certs().resolve("first.key"));
            try (OpenSslCheck renewal = OpenSslCheck.ofRenewal(start, Predicate.not(changed::contains))) {
                GatewayConfig next = read(BOTH, renewal);
                assertThat(names(next)).containsExactly("second.example", "renewed.example");
                assertKept(next, before, "shop");

                try (OpenSslCheck later = OpenSslCheck.ofRenewal(renewal, anything -> true)) {
                    assertKept(read(BOTH, later), before, "shop");
                }
            }
        }
    }

    private static void assertKept(GatewayConfig config, List<CertificateConfig> before, String name) {
        assertThat(config.certificates().stream()
                        .flatMap(certificate -> certificate.keyPairs().stream())
                        .map(pair -> pair.sha256()))
                .containsAnyElementsOf(before.stream()
                        .filter(certificate -> certificate.name().startsWith(name))
                        .map(certificate -> certificate.keyPairs().getFirst().sha256())
                        .toList());
        assertThat(config.sources().unusable()).singleElement().satisfies(unusable -> {
            assertThat(unusable.name()).isEqualTo(name);
            assertThat(unusable.consequence()).isEqualTo(Consequence.KEPT);
            assertThat(unusable.line()).contains("not renewed, the previous one stays in use");
        });
    }

    @Test
    void aDirectoryThatIsGoneKeepsWhatLayInIt() throws Exception {
        Path certbot = Files.createDirectories(certs().resolve("renewed.example"));
        Files.copy(renewed.chainFile(), certbot.resolve("fullchain.pem"));
        Files.copy(renewed.keyFile(), certbot.resolve("privkey.pem"));
        try (OpenSslCheck start = new OpenSslCheck()) {
            List<CertificateConfig> before = read(BOTH, start).certificates();
            assertThat(before).hasSize(3);
            Files.move(certs(), directory.resolve("elsewhere"));

            try (OpenSslCheck renewal = OpenSslCheck.ofRenewal(start, anything -> true)) {
                GatewayConfig next = read(BOTH, renewal);
                assertKept(next, before, "sites");
                assertThat(next.certificates()).isEqualTo(before);
            }
        }
    }

    @Test
    void aRenewalWithTheKindOfKeyOfItsNeighbourKeepsTheOldOne() throws Exception {
        Credential rsa = CERTIFICATES.issue(CertificateRequest.named("usable-rsa")
                .forHosts("second.example")
                .with(KeyAlgorithm.RSA_2048));
        lay(rsa, directory.resolve("rsa"));
        String yaml =
                BOTH.replace("chain: shop.pem, key: shop.key", "chain: [shop.pem, rsa.pem], key: [shop.key, rsa.key]");
        try (OpenSslCheck start = new OpenSslCheck()) {
            List<CertificateConfig> before = read(yaml, start).certificates();
            lay(rsa, directory.resolve("shop"));
            Set<Path> changed = Set.of(directory.resolve("shop.pem"), directory.resolve("shop.key"));

            try (OpenSslCheck renewal = OpenSslCheck.ofRenewal(start, Predicate.not(changed::contains))) {
                GatewayConfig next = read(yaml, renewal);
                assertThat(next.certificates()).isEqualTo(before);
                assertThat(next.sources().unusable())
                        .singleElement()
                        .extracting(UnusableCertificate::problem)
                        .asString()
                        .contains("has two keys of type RSA");
            }
        }
    }

    @Test
    void theGatewayServesTheOthersWarnsOnceAndCountsTheFile() throws Exception {
        Bad.GARBAGE.at(certs().resolve("bad"));
        String alerts = "alerts: {window: 1s, hold: 0s, clear: 0s}\n";
        ConfiguredGateway gateway = ConfiguredGateway.start(fixture, transport, directory, DIRECTORY + alerts);

        assertThat(gateway.ask("first.example", "-verify_hostname", "first.example"))
                .contains("Verify return code: 0 (ok)", GREETING);
        assertThat(skipped(gateway)).isEqualTo(1);
        gateway.awaitFiring("certificates-unusable", 1);
        gateway.reload(DIRECTORY + alerts);
        assertThat(fixture.lines().stream().filter(line -> line.contains("bad.pem")))
                .as("told once")
                .hasSize(1);

        lay(renewed, certs().resolve("bad"));
        gateway.reload(DIRECTORY + alerts);
        assertThat(gateway.ask("renewed.example", "-verify_hostname", "renewed.example"))
                .contains("Verify return code: 0 (ok)", GREETING);
        assertThat(skipped(gateway)).isZero();
        gateway.awaitFiring("certificates-unusable", 0);
        assertThat(fixture.lines()).contains("all certificate files can be used again");
    }

    private static double skipped(ConfiguredGateway gateway) {
        return gateway.gateway()
                .metrics()
                .sum(Metric.TLS_CERTIFICATE_FILES_UNUSABLE, "name", "sites", "consequence", "skipped");
    }

    @Test
    void theGatewayServesOnWhatAFileHeldBeforeItBecameGarbage() throws Exception {
        ConfiguredGateway gateway = ConfiguredGateway.start(fixture, transport, directory, BOTH);
        Files.copy(renewed.chainFile(), certs().resolve("late.pem"));
        Bad.EMPTY.at(certs().resolve("first"));
        Bad.CUT_OFF.at(directory.resolve("shop"));

        gateway.renew(BOTH);

        for (String host : List.of("first.example", "second.example")) {
            assertThat(gateway.ask(host, "-verify_hostname", host)).contains("Verify return code: 0 (ok)", GREETING);
        }
        assertThat(fixture.lines())
                .filteredOn(line -> line.contains("the previous one stays in use"))
                .hasSize(2);
        Files.copy(renewed.keyFile(), certs().resolve("late.key"));
        gateway.renew(BOTH);
        assertThat(gateway.ask("renewed.example", "-verify_hostname", "renewed.example"))
                .contains("Verify return code: 0 (ok)", GREETING);
    }

    @Test
    void ofThousandsOfBadFilesAFewAreNamed() throws Exception {
        int bad = CertificateFileLog.LINES_MAX + 7;
        for (int i = 0; i < bad; i++) {
            Bad.EMPTY.at(certs().resolve("bad-" + i));
        }
        ConfiguredGateway gateway = ConfiguredGateway.start(fixture, transport, directory, DIRECTORY);

        assertThat(skipped(gateway)).isEqualTo(bad);
        assertThat(fixture.lines().stream().filter(line -> line.contains("skipped, all others are served")))
                .hasSize(CertificateFileLog.LINES_MAX);
        assertThat(fixture.lines()).contains("7 more certificate files cannot be used; sluice check lists all of them");
    }
}
